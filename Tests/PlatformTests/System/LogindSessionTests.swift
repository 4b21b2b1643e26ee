import MediaModel
import Platform
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct LogindSessionTests {
  private let bus: PrivateBus
  private let logind: FakeLogind

  init() throws {
    bus = try PrivateBus()
    logind = try FakeLogind(on: bus)
  }

  /// One that knows the session already.
  private func listener(_ session: String? = "auto") throws -> LogindListener {
    try logind.setLockedHint(true)
    let listener = try LogindListener(bus, session: session)
    try #require(listener.first(1) == ["sessionLocked"])
    try logind.setLockedHint(false)
    try #require(listener.first(2) == ["sessionLocked", "sessionUnlocked"])
    return listener
  }

  @Test func `a session that is locked at the start is told`() throws {
    try logind.setLockedHint(true)
    let listener = try LogindListener(bus, session: "auto")
    #expect(listener.first(1) == ["sessionLocked"])
  }

  @Test func `a session can be named`() throws {
    try logind.setLockedHint(true)
    let listener = try LogindListener(bus, session: "c1")
    #expect(listener.first(1) == ["sessionLocked"])
  }

  @Test func `lock and unlock are told`() throws {
    let listener = try listener()
    try logind.lock()
    try logind.unlock()
    #expect(listener.first(4).suffix(2) == ["sessionLocked", "sessionUnlocked"])
  }

  @Test func `a lock that is asked for and then drawn is told once`() throws {
    let listener = try listener()
    try logind.lock()
    try logind.setLockedHint(true)
    try logind.setLockedHint(false)
    try logind.setActive(false)
    #expect(listener.first(5).suffix(3) == ["sessionLocked", "sessionUnlocked", "sessionInactive"])
  }

  @Test func `another session's turn is told, and its end`() throws {
    let listener = try listener()
    try logind.setActive(false)
    try logind.setActive(true)
    #expect(listener.first(4).suffix(2) == ["sessionInactive", "sessionActive"])
  }

  @Test func `who does not ask for the session hears nothing of it`() throws {
    let listener = try LogindListener(bus)
    try #require(logind.waitForInhibitor())
    try logind.lock()
    try logind.setActive(false)
    try logind.suspend()
    #expect(listener.first(1) == ["sleepIsNear"])
  }

  @Test func `a session that isn't there is noted, and sleep is watched all the same`() throws {
    let listener = try LogindListener(bus, session: "c7")
    try #require(logind.waitForInhibitor())
    try #require(listener.first(1) == ["note: no session to watch, logind: No session 'c7' known"])
    try logind.suspend()
    #expect(listener.first(2).last == "sleepIsNear")
  }

  @Test(
    arguments: [
      (["XDG_SESSION_ID": "c1"], true, "c1"), ([:], true, "auto"), (["XDG_SESSION_ID": "c1"], false, nil),
    ] as [([String: String], Bool, String?)])
  func `the session is the environment's`(
    environment: [String: String], watchesSession: Bool, session: String?
  ) {
    let settings = LogindWatcher.Settings(environment: environment, watchesSession: watchesSession)
    #expect(settings.session == session)
  }
}
