internal import HoldfastMediaModel

/// A stream that ends with the right to read it.
struct GuardedStream: ControlStream {
  private var stream: any ControlStream
  /// Whether whoever reads it may still do so.
  private let mayRead: @Sendable () -> Bool
  private var nextLook: MonotonicTime

  static let interval = MediaTime.seconds(5)

  init(_ stream: any ControlStream, at now: MonotonicTime, while mayRead: @escaping @Sendable () -> Bool) {
    self.stream = stream
    self.mayRead = mayRead
    nextLook = now + Self.interval
  }

  mutating func next(at now: MonotonicTime) -> ControlStreamStep {
    if now >= nextLook {
      guard mayRead() else { return .over }
      nextLook = now + Self.interval
    }
    switch stream.next(at: now) {
    case .nothing(let until): return .nothing(until: min(until, nextLook))
    case .bytes(let bytes): return .bytes(bytes)
    case .over: return .over
    }
  }
}
