/// How much a server may ask us to keep.
public struct RTSPLimits: Hashable, Sendable {
  /// The start line and the headers of one message.
  public var headBytes = 16 * 1024
  public var headerCount = 64
  public var bodyBytes = 256 * 1024
  /// Requests of ours without an answer.
  public var outstandingRequests = 8
  /// Answers of ours that the server does not take.
  public var unsentAnswerBytes = 64 * 1024
  /// How often one request is repeated with other credentials.
  public var authenticationAttempts = 3

  public init() {}
}
