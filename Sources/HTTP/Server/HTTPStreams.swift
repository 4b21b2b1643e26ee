import HoldfastMediaModel
import HoldfastPlatform

struct HTTPStreams {
  typealias Connection = OpaquePointer

  private var all: [Connection: HTTPStream] = [:]
  /// The earliest deadline.
  private var earliest: MonotonicTime?
  /// Some stream may have something to send, and none has been asked since.
  private var hasNews = false
  /// When all may be asked again.
  private var nextPoll = MonotonicTime(nanoseconds: 0)

  /// Deadlines are rounded up to this, so that a thousand streams wake the loop less often.
  private static let tick = MediaTime.milliseconds(25)
  /// The least time between two polls of all, for each stream: a thousand are asked for news 50 times a second at most, ten
  /// practically at once.
  private static let pollInterval = MediaTime(nanoseconds: 20_000)

  subscript(connection: Connection) -> HTTPStream? {
    get { all[connection] }
    set { all[connection] = newValue }
  }

  var nextDeadline: MonotonicTime? {
    guard !all.isEmpty else { return nil }
    guard hasNews else { return earliest }
    return min(earliest ?? nextPoll, nextPoll)
  }

  mutating func expect(_ deadline: MonotonicTime) {
    let ticks = (deadline.nanoseconds - 1) / Self.tick.nanoseconds + 1
    let rounded = MonotonicTime(nanoseconds: ticks * Self.tick.nanoseconds)
    earliest = min(earliest ?? rounded, rounded)
  }

  mutating func poll(at now: MonotonicTime, isSignalled: Bool) {
    hasNews = hasNews || isSignalled
    guard hasNews && now >= nextPoll || earliest.map({ now >= $0 }) == true else { return }
    earliest = nil
    for stream in all.values {
      if let deadline = stream.poll(at: now, isSignalled: hasNews) { expect(deadline) }
    }
    hasNews = false
    nextPoll = now + MediaTime(nanoseconds: Self.pollInterval.nanoseconds * Int64(all.count))
  }

  func finish(at now: MonotonicTime) {
    for stream in all.values { stream.finish(at: now) }
  }
}
