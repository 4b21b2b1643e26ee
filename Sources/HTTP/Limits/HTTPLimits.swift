package import HoldfastMediaModel

/// The resource limits of one listener's clients.
package struct HTTPLimits: Hashable, Sendable {
  package var connections = 64
  /// Of those, the maximum from one address.
  package var connectionsPerAddress = Int.max
  /// With TLS, from one address: handshakes at once, and the interval after which one more is allowed.
  package var handshakes: Int64 = 200
  package var handshakeInterval = MediaTime.milliseconds(40)
  /// Of those, the maximum of streams, so that short requests always find room.
  package var streams = 56
  /// Requests of each lane that wait for their answers.
  package var pending = 256
  package var bodySize = 64 * 1024
  /// For the request line, the headers and the body piece being read.
  package var headSize = 16 * 1024
  /// From a connection's start or last response to the end of the next one; for a stream, how long it may
  /// accept nothing.
  package var timeout = MediaTime.seconds(10)
  /// The timeout while there is no room for another connection.
  package var timeoutWhenFull = MediaTime.seconds(1)

  package static let unix = HTTPLimits()
  package static let tcp = HTTPLimits(connections: 2048, connectionsPerAddress: 1200, streams: 1984)
}
