import Glibc
package import HoldfastMediaModel
package import HoldfastPlatform

/// Feeds the service manager's watchdog while every expected part makes progress.
package final class ServiceWatchdog: Sendable {
  /// The watchdog timeout; nil if the manager sets none.
  private let interval: MediaTime?
  private let notifier: ServiceNotifier
  private let progress: Locked<ProgressWatch>

  /// A part is stalled after `limit` without progress, by default half the interval.
  package init(interval: MediaTime?, limit: MediaTime? = nil, notifier: ServiceNotifier) {
    self.interval = interval
    self.notifier = notifier
    let half = MediaTime(nanoseconds: (interval?.nanoseconds ?? 0) / 2)
    progress = Locked(ProgressWatch(limit: limit ?? half))
  }

  package convenience init(environment: [String: String], notifier: ServiceNotifier) {
    self.init(interval: Self.interval(environment, process: getpid()), notifier: notifier)
  }

  static func interval(_ environment: [String: String], process: Int32) -> MediaTime? {
    guard let microseconds = environment["WATCHDOG_USEC"].flatMap({ Int64($0) }),
      (1...Int64.max / 1000).contains(microseconds)
    else { return nil }
    // The interval may be intended for another process.
    if let target = environment["WATCHDOG_PID"], Int32(target) != process { return nil }
    return MediaTime(nanoseconds: microseconds * 1000)
  }

  package func expect(_ part: ProgressWatch.Part) {
    guard interval != nil else { return }
    progress.withLock { $0.expect(part, at: .now) }
  }

  /// Records progress of `part`: a picture, a packet or a loop iteration.
  package func report(_ part: ProgressWatch.Part) {
    guard interval != nil else { return }
    progress.withLock { $0.report(part, at: .now) }
  }

  /// Stops expecting progress of an interrupted or absent part.
  package func unexpect(_ part: ProgressWatch.Part) {
    guard interval != nil else { return }
    progress.withLock { $0.unexpect(part) }
  }

  /// Feeds the watchdog until `stop` is signalled; blocks. `onNote` receives each change of progress.
  package func run(until stop: Wakeup, onNote: (String) -> Void) {
    guard let interval else { return }
    while true {
      let verdict = progress.withLock { $0.check(at: .now) }
      let share: Int64
      switch verdict {
      case .moving(let again):
        share = 2
        try? notifier.notify(.alive)
        if again { report("progress has resumed", onNote) }
      case .stalled(let parts, let isNew):
        // Checks more often, to resume feeding before the timeout.
        share = 8
        let text = parts.map(\.description).joined(separator: ", ")
        if isNew { report("not feeding the watchdog: \(text)", onNote) }
      }
      if stop.wait(until: .now + MediaTime(nanoseconds: interval.nanoseconds / share)) { return }
    }
  }

  private func report(_ text: String, _ onNote: (String) -> Void) {
    try? notifier.notify(.status(text))
    onNote(text)
  }
}
