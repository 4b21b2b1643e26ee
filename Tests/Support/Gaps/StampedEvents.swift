import Foundation
package import HoldfastMediaModel
import HoldfastPlatform

/// The event lines of a broadcast, and when each of them appeared.
package final class StampedEvents: Sendable {
  package struct Line: Sendable {
    package let text: String
    package let arrival: MonotonicTime

    package var fields: [String: Any] {
      (try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]) ?? [:]
    }
  }

  private struct Log: Sendable {
    var file: GrowingLines
    var lines: [Line] = []

    mutating func read() { lines += file.next().map { Line(text: $0, arrival: .now) } }
  }

  private let log: Locked<Log>
  private let thread: RepeatingThread

  package init(path: String) {
    log = Locked(Log(file: GrowingLines(path: path)))
    thread = RepeatingThread(every: 5000) { [log] in log.withLock { $0.read() } }
  }

  package func finish() -> [Line] {
    thread.finish()
    return log.withLock { $0.lines }
  }
}

/// Converts the times in event lines to the monotonic clock, by the wall clock's offset when the line was written.
package struct EventClock {
  /// From the monotonic to the machine's own wall clock.
  private let machine: MediaTime
  package let steps: [FakeClock.Step]

  /// The offset that holds for a measurement of some minutes.
  package static var machineOffset: MediaTime {
    let now = Instant.now
    return MediaTime(nanoseconds: now.wall.nanoseconds - now.monotonic.nanoseconds)
  }

  package init(machine: MediaTime, steps: [FakeClock.Step] = []) {
    (self.machine, self.steps) = (machine, steps)
  }

  /// The offset at the line's `at`: of those around its arrival the one that fits best.
  package func offset(of line: StampedEvents.Line) -> MediaTime? {
    guard let at = wallTime(line.fields["at"]) else { return nil }
    let before = steps.last { $0.at <= line.arrival }
    let near = steps.filter { $0.at > line.arrival - .seconds(2) }
    let earlier = near.compactMap { step in steps.last { $0.at < step.at }?.offset ?? .zero }
    let candidates = [before?.offset ?? .zero] + near.map(\.offset) + earlier
    return candidates.map { machine + $0 }.min {
      abs((monotonic(at, $0) - line.arrival).nanoseconds)
        < abs((monotonic(at, $1) - line.arrival).nanoseconds)
    }
  }

  package func monotonic(_ time: WallTime, _ offset: MediaTime) -> MonotonicTime {
    MonotonicTime(nanoseconds: time.nanoseconds - offset.nanoseconds)
  }
}
