/// Limits of what a peer can make us store.
package struct RTMPLimits: Hashable, Sendable {
  /// Bytes of a message.
  package var messageSize = 8 << 20
  /// Bytes of all incomplete messages.
  package var pendingBytes = 16 << 20
  package var chunkStreams = 64
  package var amfDepth = 16
  package var amfValues = 2048
  /// Commands awaiting an answer.
  package var outstandingCommands = 32
  /// Bytes of our answers that the peer does not read.
  package var unreadAnswerBytes = 64 << 10

  package init() {}
}
