package import HoldfastMediaModel

/// A stream that ends when its reader loses the right to read it, and says why where its format can.
package struct GuardedStream: ResponseStream {
  private var stream: any ResponseStream
  private let refusal: @Sendable () -> APIError?
  private var nextCheck: MonotonicTime
  private var isOver = false

  package static let interval = MediaTime.seconds(5)

  /// `refusal` is nil while the reader may read.
  package init(
    _ stream: any ResponseStream, at now: MonotonicTime, refusal: @escaping @Sendable () -> APIError?
  ) {
    self.stream = stream
    self.refusal = refusal
    nextCheck = now + Self.interval
  }

  package mutating func next(at now: MonotonicTime) -> StreamStep {
    guard !isOver else { return .over }
    if now >= nextCheck {
      nextCheck = now + Self.interval
      if let refusal = refusal() {
        isOver = true
        let notice = stream.notice(of: refusal)
        return notice.isEmpty ? .over : .bytes(notice)
      }
    }
    let step = stream.next(at: now)
    guard case .nothing(let until) = step else { return step }
    return .nothing(until: min(until, nextCheck))
  }
}
