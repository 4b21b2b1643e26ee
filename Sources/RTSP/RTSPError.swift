/// The server speaks something else than RTSP, or speaks it wrongly.
package struct RTSPError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable, CaseIterable {
    /// Not what the protocol writes.
    case malformed
    /// More than our limits allow.
    case tooLarge
    /// Well formed, and not what may be said here.
    case unexpected
  }

  package let kind: Kind
  package let what: String

  package init(_ kind: Kind, _ what: String) {
    self.kind = kind
    self.what = what
  }
}

extension RTSPError: CustomStringConvertible {
  package var description: String { what }
}

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
