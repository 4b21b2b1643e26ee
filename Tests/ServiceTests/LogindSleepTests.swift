import HoldfastMediaModel
import HoldfastPlatform
import HoldfastService
import TestSupport
import TestTraits
import Testing

@Suite(.realTime) struct LogindSleepTests {
  private let bus: PrivateBus
  private let logind: FakeLogind

  init() throws {
    bus = try PrivateBus()
    logind = try FakeLogind(on: bus)
  }

  /// A listener that has been notified of a sleep and has its hold.
  private func notifiedOfSleep() throws -> LogindListener {
    let listener = try LogindListener(bus)
    try #require(logind.waitForInhibitor())
    try logind.suspend()
    try #require(listener.first(1) == ["sleepIsNear"])
    return listener
  }

  @Test func `the machine sleeps when the hold is released, and not before`() throws {
    let listener = try notifiedOfSleep()
    let hold = try #require(listener.takeHold())
    // It answers this after all that has come before.
    try logind.setActive(true)
    #expect(hold.isHolding)
    #expect(logind.events().suffix(1) == ["sleep is near"])
    hold.release()
    #expect(logind.waitFor("asleep"))
    #expect(!hold.isHolding)
  }

  @Test func `the machine sleeps when the hold is deallocated`() throws {
    let listener = try notifiedOfSleep()
    _ = listener.takeHold()
    #expect(logind.waitFor("asleep"))
  }

  @Test func `waking is reported, and a second sleep is held up like the first`() throws {
    let listener = try notifiedOfSleep()
    listener.takeHold()?.release()
    try #require(logind.waitFor("asleep"))
    try logind.wake()
    try #require(logind.waitForInhibitor(times: 2))
    try logind.suspend()
    try #require(listener.first(3) == ["sleepIsNear", "awake", "sleepIsNear"])
    let hold = try #require(listener.takeHold())
    try logind.setActive(true)
    #expect(hold.isHolding && logind.events().last == "sleep is near")
    hold.release()
    #expect(logind.waitFor("asleep", times: 2))
  }

  @Test func `a sleep already on its way at the start is reported but not held up`() throws {
    try logind.suspend()
    let listener = try LogindListener(bus)
    try #require(listener.first(1) == ["sleepIsNear"])
    #expect(listener.takeHold()?.isHolding == false)
  }

  @Test func `the inhibitor is released when the watcher ends`() throws {
    let listener = try LogindListener(bus)
    try #require(logind.waitForInhibitor())
    listener.end()
    #expect(logind.waitFor("released"))
  }

  @Test func `the machine is shut down when the hold is released, and not before`() throws {
    let listener = try LogindListener(bus)
    try #require(logind.waitForInhibitor())
    try logind.setShutdown(true)
    try #require(listener.first(1) == ["shutdownIsNear"])
    let hold = try #require(listener.takeHold())
    try logind.setActive(true)
    #expect(hold.isHolding && logind.events().last == "shutdown is near")
    hold.release()
    #expect(logind.waitFor("down"))
  }

  @Test func `a cancelled shutdown is reported, and the next one is held up like the first`() throws {
    let listener = try LogindListener(bus)
    try #require(logind.waitForInhibitor())
    try logind.setShutdown(true)
    try #require(listener.first(1) == ["shutdownIsNear"])
    listener.takeHold()?.release()
    try logind.setShutdown(false)
    #expect(logind.waitForInhibitor(times: 2))
    #expect(listener.first(2) == ["shutdownIsNear", "shutdownIsCancelled"])
  }
}
