package import HoldfastMediaModel

package protocol HTTPHandler: Sendable {
  /// Called on the server's only thread: blocking here blocks all clients.
  func handle(_ request: HTTPRequest) -> Reply
  /// A request was refused because too many others wait for their answers. On the server's thread, too.
  func refusedAsTooBusy(_ request: HTTPRequest)
}

extension HTTPHandler {
  package func refusedAsTooBusy(_: HTTPRequest) {}
}

package enum Reply: Sendable {
  case immediate(HTTPResponse)
  /// Slow work, run on another thread while other requests are served.
  case deferred(Lane, @Sendable () -> HTTPResponse)

  /// Each lane has threads and a queue of its own.
  package enum Lane: CaseIterable, Sendable {
    /// Of those who control the broadcast.
    case commands
    /// Of everybody who may watch it.
    case others
  }
}

/// A body of unknown length.
package protocol ResponseStream: Sendable {
  /// Must not block. Called on the server's thread: when the client can take more, when the server's wakeup
  /// is signalled, and at the returned time.
  mutating func next(at now: MonotonicTime) -> StreamStep
  /// What tells a reader why its stream ends here; empty if the format has no words for that.
  func notice(of end: APIError) -> [UInt8]
}

extension ResponseStream {
  package func notice(of end: APIError) -> [UInt8] { [] }
}

package enum StreamStep: Hashable, Sendable {
  case bytes([UInt8])
  /// Nothing before the wakeup or this time.
  case nothing(until: MonotonicTime)
  /// The stream has ended, or the client is too far behind.
  case over
}
