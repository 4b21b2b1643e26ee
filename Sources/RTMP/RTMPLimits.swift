/// How much a peer may make us keep.
public struct RTMPLimits: Hashable, Sendable {
  /// Bytes of one message.
  public var messageSize = 8 << 20
  /// Bytes of all messages that are not yet whole.
  public var pendingBytes = 16 << 20
  public var chunkStreams = 64
  /// Objects within objects.
  public var amfDepth = 16
  /// Values in one message.
  public var amfValues = 2048
  /// Commands that we have sent and that are not yet answered.
  public var outstandingCommands = 32

  public init() {}
}
