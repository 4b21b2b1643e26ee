package import HoldfastMediaModel

/// A body whose end is not known: it is asked for what comes next, on the server's one thread.
package protocol ControlStream: Sendable {
  /// Is called when the client can take more, when the server's bell rings, and when the time comes that it named.
  /// It returns at once.
  mutating func next(at now: MonotonicTime) -> ControlStreamStep
}

package enum ControlStreamStep: Hashable, Sendable {
  case bytes([UInt8])
  /// Not before the bell rings, or this time comes.
  case nothing(until: MonotonicTime)
  /// This was all, or the client has fallen too far behind.
  case over
}
