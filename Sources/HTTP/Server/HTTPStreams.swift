import HoldfastMediaModel
import HoldfastPlatform

struct HTTPStreams {
  typealias Connection = OpaquePointer

  private var all: [Connection: HTTPStream] = [:]
  /// The earliest deadline.
  private var earliest: MonotonicTime?

  /// Deadlines are rounded up to this, so that a thousand streams wake the loop less often.
  private static let tick = MediaTime.milliseconds(25)

  subscript(connection: Connection) -> HTTPStream? {
    get { all[connection] }
    set { all[connection] = newValue }
  }

  var nextDeadline: MonotonicTime? { all.isEmpty ? nil : earliest }

  mutating func expect(_ deadline: MonotonicTime) {
    let ticks = (deadline.nanoseconds - 1) / Self.tick.nanoseconds + 1
    let rounded = MonotonicTime(nanoseconds: ticks * Self.tick.nanoseconds)
    earliest = min(earliest ?? rounded, rounded)
  }

  mutating func poll(at now: MonotonicTime, isSignalled: Bool) {
    guard isSignalled || earliest.map({ now >= $0 }) == true else { return }
    earliest = nil
    for stream in all.values {
      if let deadline = stream.poll(at: now, isSignalled: isSignalled) { expect(deadline) }
    }
  }

  func finish(at now: MonotonicTime) {
    for stream in all.values { stream.finish(at: now) }
  }
}
