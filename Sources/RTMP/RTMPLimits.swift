/// How much a peer may make us keep.
package struct RTMPLimits: Hashable, Sendable {
  /// Bytes of one message.
  package var messageSize = 8 << 20
  /// Bytes of all messages that are not yet whole.
  package var pendingBytes = 16 << 20
  package var chunkStreams = 64
  package var amfDepth = 16
  package var amfValues = 2048
  /// Commands that we have sent and that are not yet answered.
  package var outstandingCommands = 32

  package init() {}
}
