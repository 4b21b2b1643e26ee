internal import Glibc
package import HoldfastMediaModel

/// Feeds the service manager's watchdog as long as every part of the program moves that should.
package final class ServiceWatchdog: Sendable {
  /// How soon after the last feeding the manager kills the service; nil where it does not.
  private let interval: MediaTime?
  private let notifier: ServiceNotifier
  private let progress: Locked<ProgressWatch>

  /// A part is stuck when it has not moved for `limit`, which is half the interval where it isn't said.
  package init(interval: MediaTime?, limit: MediaTime? = nil, notifier: ServiceNotifier) {
    self.interval = interval
    self.notifier = notifier
    let half = MediaTime(nanoseconds: (interval?.nanoseconds ?? 0) / 2)
    progress = Locked(ProgressWatch(limit: limit ?? half))
  }

  /// What the environment asks for.
  package convenience init(environment: [String: String], notifier: ServiceNotifier) {
    self.init(interval: Self.interval(environment, process: getpid()), notifier: notifier)
  }

  static func interval(_ environment: [String: String], process: Int32) -> MediaTime? {
    guard let microseconds = environment["WATCHDOG_USEC"].flatMap({ Int64($0) }),
      (1...Int64.max / 1000).contains(microseconds)
    else { return nil }
    // Its parent's, which it has inherited.
    if let meant = environment["WATCHDOG_PID"], Int32(meant) != process { return nil }
    return MediaTime(nanoseconds: microseconds * 1000)
  }

  /// From now on `part` must move.
  package func expect(_ part: ProgressWatch.Part) {
    guard interval != nil else { return }
    progress.withLock { $0.expect(part, at: .now) }
  }

  /// `part` has moved: for each picture, packet or turn of the loop.
  package func report(_ part: ProgressWatch.Part) {
    guard interval != nil else { return }
    progress.withLock { $0.report(part, at: .now) }
  }

  /// Nothing is expected of `part`: it is interrupted, or not there.
  package func rest(_ part: ProgressWatch.Part) {
    guard interval != nil else { return }
    progress.withLock { $0.rest(part) }
  }

  /// Feeds until `stop` is signalled; for a thread of its own. `onNote` hears why it does not feed, once each time.
  package func run(until stop: Wakeup, onNote: (String) -> Void) {
    guard let interval else { return }
    while true {
      let verdict = progress.withLock { $0.check(at: .now) }
      act(on: verdict, onNote)
      // A part that moves again after all should be noticed before the manager's patience ends.
      let share: Int64 =
        switch verdict {
        case .moving: 2
        case .stuck: 8
        }
      let pause = MediaTime(nanoseconds: interval.nanoseconds / share)
      if stop.wait(until: .now + pause) { return }
    }
  }

  private func act(on verdict: ProgressWatch.Verdict, _ onNote: (String) -> Void) {
    switch verdict {
    case .moving(let again):
      // A manager that can't be told now is told the next time, or ends the service.
      try? notifier.tell(.alive)
      if again { say("everything moves again", onNote) }
    case .stuck(let parts, let isNews):
      guard isNews else { return }
      say("the watchdog is not fed: " + parts.map(\.description).joined(separator: ", "), onNote)
    }
  }

  private func say(_ text: String, _ onNote: (String) -> Void) {
    try? notifier.tell(.status(text))
    onNote(text)
  }
}
