import HoldfastMediaModel
import HoldfastPlatform

/// Runs a driver in virtual time while its process lives.
final class VirtualLoop<Loop: Driver & ~Copyable> {
  private let process: SimulatedProcess
  private(set) var driver: Loop
  private let inbox = Inbox<Loop.Event>(capacity: 1)
  private var deadline: MonotonicTime?
  private let wakes: () -> Bool
  private let ended: () -> Void

  /// With `wakes` false, due timers wait for the next event.
  init(
    _ process: SimulatedProcess, _ driver: consuming Loop, wakes: @escaping () -> Bool = { true },
    ended: @escaping () -> Void
  ) {
    self.process = process
    self.driver = driver
    self.wakes = wakes
    self.ended = ended
  }

  func post(_ event: Loop.Event, after delay: Int64 = 0) { process.after(delay) { [self] in turn(event) } }

  func turn(_ event: Loop.Event? = nil) {
    guard !driver.isFinished else { return }
    let now = process.host.now
    if let event { driver.handle(event, at: now) }
    driver.fireTimers(at: now)
    while !driver.isFinished, let event = driver.wait(for: inbox, until: nil) {
      driver.handle(event, at: now)
    }
    if driver.isFinished {
      process.world.expect(driver.nextDeadline == nil, "a driver leaves a timer")
      return ended()
    }
    let next = wakes() ? driver.nextDeadline : nil
    guard next != deadline else { return }
    deadline = next
    if let deadline {
      process.after((deadline - now.monotonic).nanoseconds) { [self] in
        if self.deadline == deadline { self.deadline = nil }
        turn()
      }
    }
  }
}
