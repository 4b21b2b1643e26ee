import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

@testable import HoldfastService

@Suite(.realTime) struct LogindSleepTests {
  private let bus: PrivateBus
  private let logind: FakeLogind

  init() throws {
    bus = try PrivateBus()
    logind = try FakeLogind(on: bus)
  }

  /// A listener that has been notified of a sleep or a shutdown and has its hold.
  private func notified(of rest: LogindState.Rest) throws -> LogindListener {
    let listener = try LogindListener(bus)
    try #require(logind.waitForInhibitor())
    switch rest {
    case .sleep: try logind.suspend()
    case .shutdown: try logind.setShutdown(true)
    }
    try #require(listener.first(1) == ["\(rest)IsNear"])
    return listener
  }

  @Test(arguments: [(LogindState.Rest.sleep, "asleep"), (.shutdown, "down")])
  func `the machine sleeps or is shut down when the hold is released, and not before`(
    rest: LogindState.Rest, end: String
  ) throws {
    let listener = try notified(of: rest)
    let hold = try #require(listener.takeHold())
    // It answers this after all that has come before.
    try logind.setActive(true)
    #expect(hold.isHolding && logind.events().last == "\(rest) is near")
    hold.release()
    #expect(logind.waitFor(end))
    #expect(!hold.isHolding)
  }

  @Test func `the machine sleeps when the hold is deallocated`() throws {
    let listener = try notified(of: .sleep)
    _ = listener.takeHold()
    #expect(logind.waitFor("asleep"))
  }

  @Test func `waking is reported, and a second sleep is held up like the first`() throws {
    let listener = try notified(of: .sleep)
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

  @Test func `a cancelled shutdown is reported, and the next one is held up like the first`() throws {
    let listener = try notified(of: .shutdown)
    listener.takeHold()?.release()
    try logind.setShutdown(false)
    #expect(logind.waitForInhibitor(times: 2))
    #expect(listener.first(2) == ["shutdownIsNear", "shutdownIsCancelled"])
  }
}
