import HoldfastMediaModel
import HoldfastPlatform
import HoldfastService
import TestSupport
import TestTraits
import Testing

@Suite(.realTime) struct LogindFailureTests {
  private let bus: PrivateBus

  init() throws { bus = try PrivateBus() }

  private static let never = MediaTime.seconds(3600)
  /// Longer than what answers needs, also on a busy machine.
  private static let short = MediaTime.seconds(2)
  private static let noBus = "note: can't monitor sleep and session, system bus: "
  private static let noInhibitor = "note: the machine may sleep before the recording is finished, logind: "

  @Test(arguments: [nil, "auto"])
  func `a missing bus is noted, makes the session unknown, and is found when it starts`(
    session: String?
  ) throws {
    bus.kill()
    let listener = try LogindListener(bus, session: session)
    let note = session == nil ? Self.noBus : Self.noBus.replacing("note: ", with: "unknown: ")
    #expect(listener.first(1) == [note + "Connection refused"])
    try bus.start()
    let logind = try FakeLogind(on: bus)
    #expect(logind.waitForInhibitor())
  }

  @Test func `a missing bus is noted once, however often it is looked for`() throws {
    bus.kill()
    let listener = try LogindListener(bus, pause: .milliseconds(1))
    _ = listener.first(1)
    // A bus takes longer to start than it takes to look for it many times.
    try bus.start()
    let logind = try FakeLogind(on: bus)
    try #require(logind.waitForInhibitor())
    let told = listener.names.filter { $0.hasPrefix(Self.noBus) }
    #expect(told.count == 1)
  }

  @Test func `a bus that goes away is noted, and the inhibitor is taken again when it is back`() throws {
    let first = try FakeLogind(on: bus)
    let listener = try LogindListener(bus)
    try #require(first.waitForInhibitor())
    bus.kill()
    #expect(listener.first(1)[0].hasPrefix(Self.noBus))
    try bus.start()
    let second = try FakeLogind(on: bus)
    #expect(second.waitForInhibitor())
  }

  @Test func `a bus that does not answer is noted`() throws {
    bus.freeze()
    let listener = try LogindListener(bus, timeout: .milliseconds(100))
    #expect(listener.first(1) == [Self.noBus + "Connection timed out"])
  }

  @Test(arguments: [true, false])
  func `the watcher can end although the bus or logind does not answer`(isBus: Bool) throws {
    let logind = isBus ? nil : try FakeLogind(on: bus)
    if isBus { bus.freeze() } else { logind?.freeze() }
    let listener = try LogindListener(bus, timeout: Self.never)
    let start = MonotonicTime.now
    listener.end()
    #expect(MonotonicTime.now - start < .seconds(60))
  }

  @Test func `a missing logind is noted, and used when it starts`() throws {
    let listener = try LogindListener(bus)
    #expect(listener.first(1)[0].hasPrefix(Self.noInhibitor))
    let logind = try FakeLogind(on: bus)
    #expect(logind.waitForInhibitor())
  }

  @Test func `the inhibitor is taken again when logind restarts`() throws {
    let first = try FakeLogind(on: bus)
    let listener = try LogindListener(bus)
    try #require(first.waitForInhibitor())
    first.kill()
    let second = try FakeLogind(on: bus)
    #expect(second.waitForInhibitor())
    withExtendedLifetime(listener) {}
  }

  @Test func `waking is reported when a restarted logind does not`() throws {
    let first = try FakeLogind(on: bus)
    let listener = try LogindListener(bus)
    try #require(first.waitForInhibitor())
    try first.suspend()
    try #require(listener.first(1) == ["sleepIsNear"])
    first.kill()
    let second = try FakeLogind(on: bus)
    #expect(listener.first(2) == ["sleepIsNear", "awake"])
    withExtendedLifetime(second) {}
  }

  @Test func `a logind that does not answer is noted`() throws {
    let logind = try FakeLogind(on: bus)
    logind.freeze()
    let listener = try LogindListener(bus, timeout: Self.short, pause: Self.never)
    #expect(listener.first(1) == [Self.noInhibitor + "Method call timed out"])
  }

  @Test func `a logind that answers again is asked again`() throws {
    let logind = try FakeLogind(on: bus)
    logind.freeze()
    let listener = try LogindListener(bus, timeout: Self.short)
    _ = listener.first(1)
    logind.thaw()
    // What it has been asked while it was frozen is nobody's by now, and released at once.
    #expect(logind.waitFor("released"))
    #expect(logind.waitForInhibitor(times: 2))
  }

  @Test(
    arguments: [
      ([:], "unix:path=/run/dbus/system_bus_socket"),
      (["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/tmp/bus"], "unix:path=/tmp/bus"),
    ] as [([String: String], String)])
  func `the bus address is the system's, unless the environment names one`(
    environment: [String: String], address: String
  ) {
    #expect(LogindWatcher.Settings(environment: environment).busAddress == address)
  }
}
