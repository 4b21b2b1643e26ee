public import MediaModel

/// What clients may cost.
public struct ControlLimits: Hashable, Sendable {
  public var connections = 64
  public var bodySize = 64 * 1024
  /// For the request line, the headers and the piece of the body that is being read.
  public var headSize = 16 * 1024
  /// From a connection's first moment, or its last answer, to the end of the next answer.
  public var patience = MediaTime.seconds(10)
  /// The same while there is no room for another connection.
  public var patienceWhenFull = MediaTime.seconds(1)

  public init() {}
}
