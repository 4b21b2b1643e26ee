package import HoldfastMediaModel

/// What the clients of one listener may cost.
package struct ControlLimits: Hashable, Sendable {
  package var connections = 64
  /// Of those, for all that comes from one address.
  package var connectionsPerAddress = Int.max
  /// Of those, for streams: there is always room for who asks something short.
  package var streams = 56
  package var bodySize = 64 * 1024
  /// For the request line, the headers and the piece of the body that is being read.
  package var headSize = 16 * 1024
  /// From a connection's first moment, or its last answer, to the end of the next answer. Of a stream: as long as it
  /// may take nothing of what there is.
  package var timeout = MediaTime.seconds(10)
  /// The same while there is no room for another connection.
  package var timeoutWhenFull = MediaTime.seconds(1)

  package static let unix = ControlLimits()
  package static let tcp = ControlLimits(connections: 2048, connectionsPerAddress: 1200, streams: 1984)
}
