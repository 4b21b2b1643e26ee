import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport

/// Samples a process every second, and its output file more often.
final class ProcessWatch {
  private struct Seen {
    var samples: [ProcessFigures] = []
    var writes: [WallTime] = []
    var nextSample = MonotonicTime.now
  }

  private let seen: Locked<Seen>
  private let thread: RepeatingThread

  private static let interval: useconds_t = 5000

  init(process: pid_t, file: String) {
    let seen = Locked(Seen())
    self.seen = seen
    thread = RepeatingThread(every: Self.interval) {
      seen.withLock { seen in
        if seen.nextSample <= .now {
          seen.nextSample = seen.nextSample + .seconds(1)
          if let sample = ProcessFigures(of: process) { seen.samples.append(sample) }
        }
        if let written = Self.lastWrite(to: file), seen.writes.last != written { seen.writes.append(written) }
      }
    }
  }

  /// Stops sampling; returns the samples and the file's write times.
  func finish() -> (samples: [ProcessFigures], writes: [WallTime]) {
    thread.finish()
    return seen.withLock { ($0.samples, $0.writes) }
  }

  private static func lastWrite(to file: String) -> WallTime? {
    var status = stat()
    guard stat(file, &status) == 0 else { return nil }
    let time = status.st_mtim
    return WallTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}
