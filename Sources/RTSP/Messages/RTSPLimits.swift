/// How much a server may ask us to keep.
package struct RTSPLimits: Hashable, Sendable {
  /// The start line and the headers of one message.
  package var headBytes = 16 * 1024
  package var headerCount = 64
  package var bodyBytes = 256 * 1024
  /// Requests of ours without an answer.
  package var outstandingRequests = 8
  /// Answers of ours that the server does not take.
  package var unsentAnswerBytes = 64 * 1024
  /// How often one request is repeated with other credentials.
  package var authenticationAttempts = 3

  package init() {}
}
