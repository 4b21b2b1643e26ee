import HoldfastMediaModel

/// A stream that ends when its reader loses the right to read it.
struct GuardedStream: ResponseStream {
  private var stream: any ResponseStream
  private let mayRead: @Sendable () -> Bool
  private var nextCheck: MonotonicTime

  static let interval = MediaTime.seconds(5)

  init(_ stream: any ResponseStream, at now: MonotonicTime, while mayRead: @escaping @Sendable () -> Bool) {
    self.stream = stream
    self.mayRead = mayRead
    nextCheck = now + Self.interval
  }

  mutating func next(at now: MonotonicTime) -> StreamStep {
    if now >= nextCheck {
      guard mayRead() else { return .over }
      nextCheck = now + Self.interval
    }
    switch stream.next(at: now) {
    case .nothing(let until): return .nothing(until: min(until, nextCheck))
    case .bytes(let bytes): return .bytes(bytes)
    case .over: return .over
    }
  }
}
