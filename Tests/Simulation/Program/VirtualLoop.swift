internal import HoldfastMediaModel
internal import HoldfastPlatform

/// Runs a driver in virtual time, as far as its process lives.
final class VirtualLoop<Loop: Driver> {
  private let process: SimulatedProcess
  private var driver: Loop
  private var deadline: MonotonicTime?
  private let ended: () -> Void

  init(_ process: SimulatedProcess, _ driver: Loop, ended: @escaping () -> Void) {
    self.process = process
    self.driver = driver
    self.ended = ended
  }

  func post(_ event: Loop.Event, after delay: Int64 = 0) {
    process.after(delay) { [self] in turn(event) }
  }

  private func turn(_ event: Loop.Event? = nil) {
    guard !driver.isFinished else { return }
    let now = process.host.now
    if let event { driver.handle(event, at: now) }
    driver.fireTimers(at: now)
    if driver.isFinished {
      process.world.expect(driver.nextDeadline == nil, "a driver leaves a timer")
      return ended()
    }
    guard driver.nextDeadline != deadline else { return }
    deadline = driver.nextDeadline
    if let deadline {
      process.after((deadline - now.monotonic).nanoseconds) { [self] in
        if self.deadline == deadline { self.deadline = nil }
        turn()
      }
    }
  }
}
