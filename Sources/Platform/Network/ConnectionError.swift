internal import Glibc

/// Why a connection did not come about, or came to its end.
package struct ConnectionError: Error, Hashable, Sendable {
  /// What is done about it depends on this alone.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The host's name could not be resolved.
    case unresolved
    /// Nobody listens there, or no way leads there.
    case unreachable
    /// An answer did not come in time.
    case timedOut
    /// The server's certificate is not to be trusted.
    case certificate
    /// The server can't or won't speak TLS with us.
    case tls
    /// The connection was there, and was ended or cut.
    case closed
    /// We were asked to stop.
    case stopped
    /// The operating system refuses something that has nothing to do with the server.
    case system
  }

  package let kind: Kind
  /// What happened, to whom.
  package let what: String
  /// What can be done about it, where that isn't plain.
  package let hint: String?

  package init(_ kind: Kind, _ what: String, hint: String? = nil) {
    self.kind = kind
    self.what = what
    self.hint = hint
  }
}

extension ConnectionError: CustomStringConvertible {
  package var description: String { hint.map { "\(what); \($0)" } ?? what }
}

extension ConnectionError {
  static func stopped(_ peer: String) -> ConnectionError {
    ConnectionError(.stopped, "\(peer): the connection was given up")
  }

  /// An attempt to connect to `peer` that the system has ended with `code`.
  init(connecting peer: String, code: Int32) {
    switch code {
    case ECONNREFUSED, ECONNRESET, ECONNABORTED:
      self.init(
        .unreachable, "\(peer): nobody listens there (\(Self.reason(code)))",
        hint: "check the port, and that the server runs")
    case EPERM, EACCES:
      self.init(
        .unreachable, "\(peer): this machine forbids the connection (\(Self.reason(code)))",
        hint: "check its firewall")
    default:
      self.init(Self.kind(code), "\(peer): \(Self.words(code)) (\(Self.reason(code)))")
    }
  }

  /// A connection to `peer` that the system has ended with `code`.
  init(connectedTo peer: String, code: Int32) {
    self.init(Self.kind(code), "\(peer): \(Self.words(code)) (\(Self.reason(code)))")
  }

  /// A call that failed for reasons of this machine.
  init(_ error: SystemError, for peer: String) {
    self.init(.system, "\(peer): \(error)")
  }

  private static func kind(_ code: Int32) -> Kind {
    switch code {
    case ECONNRESET, ECONNABORTED, EPIPE, ENOTCONN, ESHUTDOWN: .closed
    case ETIMEDOUT: .timedOut
    case ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, EHOSTDOWN, ENETDOWN, ENONET, EADDRNOTAVAIL, EPERM, EACCES,
      ENODEV,
      ENOPROTOOPT, EPROTO:
      .unreachable
    default: .system
    }
  }

  private static func words(_ code: Int32) -> String {
    switch code {
    case ECONNRESET: "the other end broke the connection off"
    case EPIPE, ENOTCONN, ESHUTDOWN: "the connection has ended"
    case ECONNABORTED: "the connection was cut on this machine"
    case ETIMEDOUT: "no answer any more"
    case ECONNREFUSED: "nobody listens there"
    case EPERM, EACCES: "this machine forbids the connection"
    case EADDRNOTAVAIL: "this machine has no address or port to connect from"
    case EHOSTUNREACH, ENETUNREACH, EHOSTDOWN, ENETDOWN, ENONET, ENODEV, ENOPROTOOPT, EPROTO:
      "no way leads there"
    default: "the system failed"
    }
  }

  private static func reason(_ code: Int32) -> String {
    SystemError(operation: "", code: code).reason.lowercasedFirst
  }
}

extension String {
  /// As it stands in the middle of a sentence.
  var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
