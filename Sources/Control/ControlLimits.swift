public import MediaModel

/// What the clients of one door may cost.
public struct ControlLimits: Hashable, Sendable {
  public var connections = 64
  /// Of those, for all that comes from one address.
  public var connectionsOfOneAddress = Int.max
  /// Of those, for streams: there is always room for who asks something short.
  public var streams = 56
  public var bodySize = 64 * 1024
  /// For the request line, the headers and the piece of the body that is being read.
  public var headSize = 16 * 1024
  /// From a connection's first moment, or its last answer, to the end of the next answer. Of a stream: as long as it
  /// may take nothing of what there is.
  public var patience = MediaTime.seconds(10)
  /// The same while there is no room for another connection.
  public var patienceWhenFull = MediaTime.seconds(1)

  public init() {}

  /// For the network.
  public static var tcp: ControlLimits {
    var limits = ControlLimits()
    limits.connections = 2048
    limits.connectionsOfOneAddress = 1200
    limits.streams = 1984
    return limits
  }
}
