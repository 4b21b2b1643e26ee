package struct RTSPError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable, CaseIterable {
    case malformed
    case tooLarge
    /// Well formed, but not allowed in this state.
    case unexpected
  }

  package let kind: Kind
  package let what: String

  package init(_ kind: Kind, _ what: String) {
    self.kind = kind
    self.what = what
  }

  package var description: String { what }
}

/// Limits of what a server can make us store.
package struct RTSPLimits: Hashable, Sendable {
  /// Bytes of a message's start line and headers.
  package var headBytes = 16 * 1024
  package var headerCount = 64
  package var bodyBytes = 256 * 1024
  package var outstandingRequests = 8
  /// Bytes of our answers that the server does not read.
  package var unreadAnswerBytes = 64 * 1024
  /// Repetitions of one request with other credentials.
  package var authenticationAttempts = 3

  package init() {}
}
