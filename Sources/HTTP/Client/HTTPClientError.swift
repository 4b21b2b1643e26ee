import HoldfastPlatform

/// Why there is no response.
package struct HTTPClientError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// No server listens there, its name is unknown, or there is no route.
    case cannotConnect
    /// The socket belongs to another user.
    case notPermitted
    /// The server's certificate is not trusted, or TLS failed otherwise.
    case tls
    case timedOut
    /// The peer is no server of ours, is about to end, or is one that sends elsewhere.
    case invalidResponse
    /// Nothing was sent: a header can't hold what the caller gave.
    case invalidRequest
    /// By the caller's own wakeup.
    case stopped
    case system
  }

  package let kind: Kind
  package let what: String
  /// What to do about it, unless that is obvious.
  package let hint: String?

  package init(_ kind: Kind, _ what: String, hint: String? = nil) {
    self.kind = kind
    self.what = what
    self.hint = hint
  }

  package var description: String { hint.map { "\(what); \($0)" } ?? what }

  static func unreadable(_ reason: String) -> HTTPClientError {
    HTTPClientError(.invalidResponse, "the response can't be read: \(reason)")
  }
}

extension HTTPClientError {
  /// An established connection failed, unless it `wasConnecting`.
  init(_ error: ConnectionError, wasConnecting: Bool = false) {
    let kind: Kind =
      switch error.kind {
      case .closed: wasConnecting ? .cannotConnect : .invalidResponse
      case .unresolved, .unreachable: .cannotConnect
      case .timedOut: .timedOut
      case .certificate, .tls: .tls
      case .stopped: .stopped
      case .system: .system
      }
    self.init(kind, error.what, hint: error.hint)
  }

  static func stopped(_ origin: HTTPOrigin) -> HTTPClientError {
    HTTPClientError(.stopped, "\(origin): the request was cancelled")
  }

  static func timedOut(_ origin: HTTPOrigin, _ what: String) -> HTTPClientError {
    HTTPClientError(.timedOut, "\(origin): \(what)", hint: "try again, or check the server and the network")
  }

  static func closed(_ origin: HTTPOrigin, _ when: String) -> HTTPClientError {
    HTTPClientError(
      .invalidResponse, "\(origin): the connection ended \(when)", hint: "try again, or check the server")
  }

  func prefixed(_ origin: HTTPOrigin) -> HTTPClientError {
    HTTPClientError(
      kind, "\(origin): \(what)", hint: hint ?? "check that the address is that of a holdfast server")
  }
}
