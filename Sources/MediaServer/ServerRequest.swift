import HoldfastPlatform

extension MediaServer {
  /// A fault for a test to cause.
  package enum Fault: Hashable, Sendable {
    /// Stop reading, writing and accepting; the kernel still accepts connections and bytes.
    case freeze
    case thaw
    case disconnectAll
    /// Refuse this many of the next publishes as not authorized.
    case refuseNext(Int)
  }
}

/// What another thread requests of the server's thread.
enum ServerRequest: Sendable {
  case stop
  /// `done` is fulfilled once the fault is in effect.
  case fault(MediaServer.Fault, done: Promise<Bool>)
}

/// What other threads want changed since the server's thread last looked. Unlike requests, changes merge, so none is
/// refused for lack of room.
struct PendingChanges: Sendable {
  /// The streams whose publishes are to end.
  var revokedStreams: Set<String> = []
  var revalidates = false
  /// The context for new connections.
  var context: TLSContext?
}
