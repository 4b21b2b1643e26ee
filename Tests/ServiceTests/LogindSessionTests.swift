import HoldfastMediaModel
import HoldfastPlatform
import HoldfastService
import TestSupport
import TestTraits
import Testing

@Suite(.realTime) struct LogindSessionTests {
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

  @Test(arguments: [("auto", true), ("c1", true), ("auto", false)])
  func `an initially locked session is reported: our own, a named one, or the seat's`(
    session: String, isOwned: Bool
  ) throws {
    try logind.setOwned(isOwned)
    try logind.setLockedHint(true)
    let listener = try LogindListener(bus, session: session)
    #expect(listener.first(1) == ["sessionLocked"])
  }

  @Test func `locking and unlocking are reported`() throws {
    let listener = try listener()
    try logind.lock()
    try logind.unlock()
    #expect(listener.first(4).suffix(2) == ["sessionLocked", "sessionUnlocked"])
  }

  @Test func `a lock that is requested and then takes effect is reported once`() throws {
    let listener = try listener()
    try logind.lock()
    try logind.setLockedHint(true)
    try logind.setLockedHint(false)
    try logind.setActive(false)
    #expect(listener.first(5).suffix(3) == ["sessionLocked", "sessionUnlocked", "sessionInactive"])
  }

  @Test func `switching to another session and back is reported`() throws {
    let listener = try listener()
    try logind.setActive(false)
    try logind.setActive(true)
    #expect(listener.first(4).suffix(2) == ["sessionInactive", "sessionActive"])
  }

  @Test func `a watcher without a session reports no session events`() throws {
    let listener = try LogindListener(bus)
    try #require(logind.waitForInhibitor())
    try logind.lock()
    try logind.setActive(false)
    try logind.suspend()
    #expect(listener.first(1) == ["sleepIsNear"])
  }

  @Test func `a missing session is noted, and sleep is still watched`() throws {
    let listener = try LogindListener(bus, session: "c7")
    try #require(logind.waitForInhibitor())
    try #require(listener.first(1) == ["unknown: no session to monitor, logind: No session 'c7' known"])
    try logind.suspend()
    #expect(listener.first(2).last == "sleepIsNear")
  }

  @Test(arguments: [(false, ["sessionInactive", "sessionIsKnown"]), (true, ["sessionIsKnown"])])
  func `the initial state of a session is reported before sessionIsKnown`(
    isActive: Bool, events: [String]
  ) throws {
    try logind.setActive(isActive)
    let listener = try LogindListener(bus, session: "auto", hearsKnown: true)
    #expect(listener.first(events.count) == events)
  }

  @Test func `an empty seat is noted, and whoever comes to it is watched`() throws {
    try logind.setPresent(false)
    let listener = try LogindListener(bus, session: "auto")
    try #require(listener.first(1) == ["unknown: no session to monitor, logind: No user at seat0"])
    try logind.setOwned(false)
    try logind.setPresent(true)
    try logind.lock()
    #expect(listener.first(2).last == "sessionLocked")
  }

  @Test func `a requested lock stays when the session is looked up again`() throws {
    try logind.setOwned(false)
    let listener = try listener()
    try logind.lock()
    // The seat changes, and the session's hint is still off.
    try logind.setActive(true)
    try logind.unlock()
    try logind.setActive(false)
    #expect(listener.first(5).suffix(3) == ["sessionLocked", "sessionUnlocked", "sessionInactive"])
  }

  @Test func `a session that ends while it is locked is reported unlocked`() throws {
    try logind.setLockedHint(true)
    let listener = try LogindListener(bus, session: "auto")
    try #require(listener.first(1) == ["sessionLocked"])
    try logind.setPresent(false)
    let told = listener.first(3).dropFirst()
    #expect(told == ["sessionUnlocked", "unknown: no session to monitor, logind: No user at seat0"])
  }

  @Test func `a session stays locked when logind disappears`() throws {
    try logind.setLockedHint(true)
    let listener = try LogindListener(bus, session: "auto")
    try #require(listener.first(1) == ["sessionLocked"])
    logind.kill()
    #expect(eventually { listener.names.contains { $0.hasPrefix("unknown: ") } }, "\(listener.names)")
    #expect(!listener.names.contains("sessionUnlocked"))
  }

  @Test(
    arguments: [
      (["XDG_SESSION_ID": "c1"], true, "c1"), ([:], true, "auto"), (["XDG_SESSION_ID": "c1"], false, nil),
    ] as [([String: String], Bool, String?)])
  func `the session is the one in the environment, if it is watched`(
    environment: [String: String], watchesSession: Bool, session: String?
  ) {
    let settings = LogindWatcher.Settings(environment: environment, watchesSession: watchesSession)
    #expect(settings.session == session)
  }
}
