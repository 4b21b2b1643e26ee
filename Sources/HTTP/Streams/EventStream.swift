package import HoldfastMediaModel
import HoldfastPlatform

/// One reader of an event history, as server-sent events.
package struct EventStream: ResponseStream {
  private let history: EventHistory
  private var cursor: Int
  private var greeting: [UInt8]?
  private var status: (latest: LatestStatus, every: MediaTime, next: MonotonicTime)?
  private var nextComment: MonotonicTime

  package static let commentInterval = MediaTime.seconds(15)
  package static let comment = Array(":\n\n".utf8)

  /// Resumes after `lastEventID`, or reports a reset if it can't; without an id, begins with the next event.
  /// `status` is sent now and at its interval.
  package init(
    _ history: EventHistory, after lastEventID: String? = nil,
    status: (latest: LatestStatus, every: MediaTime)? = nil, at now: MonotonicTime
  ) {
    self.history = history
    let known = lastEventID.flatMap(history.number)
    cursor = known ?? history.newest
    // With this id, a client disconnected before the first event misses nothing.
    let position = "id: \(history.epoch)-\(cursor)\n"
    greeting = Array(
      (lastEventID != nil && known == nil
        ? "retry: 1000\n\(position)event: reset\ndata: {}\n\n" : "retry: 1000\n\(position)\n").utf8)
    self.status = status.map { ($0.latest, $0.every, now) }
    nextComment = now + Self.commentInterval
  }

  package mutating func next(at now: MonotonicTime) -> StreamStep {
    if let greeting = greeting.take() { return .bytes(greeting) }
    switch history.event(after: cursor) {
    case .event(let bytes):
      cursor += 1
      return sent(bytes, at: now)
    case .expired: return .over
    case .nothing: break
    }
    if let (latest, every, due) = status, now >= due {
      // Missed intervals are skipped.
      status?.next = due + every > now ? due + every : now + every
      return sent(latest.frame(at: now), at: now)
    }
    if now >= nextComment { return sent(Self.comment, at: now) }
    return .nothing(until: min(status?.next ?? nextComment, nextComment))
  }

  private mutating func sent(_ bytes: [UInt8], at now: MonotonicTime) -> StreamStep {
    nextComment = now + Self.commentInterval
    return .bytes(bytes)
  }
}

/// The status as an event shared by all readers, renewed on request when it is old.
package final class LatestStatus: Sendable {
  private let make: @Sendable () -> String
  private let made = Locked<(frame: [UInt8], at: MonotonicTime)?>(nil)

  static let maxAge = MediaTime.milliseconds(100)

  package init(_ make: @escaping @Sendable () -> String) { self.make = make }

  func frame(at now: MonotonicTime) -> [UInt8] {
    if let made = made.withLock({ $0 }), now < made.at + Self.maxAge { return made.frame }
    let frame = EventHistory.frame(name: "status", data: make())
    made.withLock { $0 = (frame, now) }
    return frame
  }
}
