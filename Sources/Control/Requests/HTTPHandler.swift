package import HoldfastMediaModel

/// Answers requests.
package protocol HTTPHandler: Sendable {
  /// Is called on the server's one thread: waiting in here holds up all other clients.
  func handle(_ request: HTTPRequest) -> Reply
}

package enum Reply: Sendable {
  case immediate(HTTPResponse)
  /// Takes a while: it is run on another thread, and others are answered meanwhile.
  case deferred(@Sendable () -> HTTPResponse)
}

/// A body whose end is not known.
package protocol ResponseStream: Sendable {
  /// Returns at once. It is called on the server's thread: when the client can take more, when the server's wakeup is
  /// signalled, and at the time that it has returned.
  mutating func next(at now: MonotonicTime) -> StreamStep
}

package enum StreamStep: Hashable, Sendable {
  case bytes([UInt8])
  /// Not before the wakeup, or this time.
  case nothing(until: MonotonicTime)
  /// This was all, or the client has fallen too far behind.
  case over
}
