import Glibc
import HoldfastMediaModel

/// Why a connection failed or ended.
package struct ConnectionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The category, which alone determines how the error is handled.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case unresolved
    /// The connection was refused or blocked, or there is no route.
    case unreachable
    case timedOut
    /// Verification of the server's certificate failed.
    case certificate
    /// The TLS handshake or session failed.
    case tls
    case closed
    case stopped
    /// The operating system failed for a reason unrelated to the server.
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

  static func stopped(_ peer: String) -> ConnectionError {
    ConnectionError(.stopped, "\(peer): the connection was cancelled")
  }

  init(connecting peer: String, code: Int32) {
    switch code {
    case ECONNREFUSED, ECONNRESET, ECONNABORTED:
      self.init(
        .unreachable, "\(peer): no server is listening (\(Self.reason(code)))",
        hint: "check the port, and that the server is running")
    case EPERM, EACCES:
      self.init(
        .unreachable, "\(peer): this machine blocks the connection (\(Self.reason(code)))",
        hint: "check its firewall")
    default:
      self.init(connectedTo: peer, code: code)
    }
  }

  /// An established connection to `peer` failed with `code`.
  init(connectedTo peer: String, code: Int32) {
    let (kind, words) = Self.meaning(code)
    self.init(kind, "\(peer): \(words) (\(Self.reason(code)))")
  }

  init(_ error: SystemError, for peer: String) { self.init(.system, "\(peer): \(error)") }

  private static func meaning(_ code: Int32) -> (kind: Kind, words: String) {
    switch code {
    case ECONNRESET: (.closed, "the other end reset the connection")
    case EPIPE, ENOTCONN, ESHUTDOWN: (.closed, "the connection has ended")
    case ECONNABORTED: (.closed, "the connection was aborted by this machine")
    case ETIMEDOUT: (.timedOut, "the other end has stopped answering")
    case ECONNREFUSED: (.unreachable, "no server is listening")
    case EPERM, EACCES: (.unreachable, "this machine blocks the connection")
    case EADDRNOTAVAIL: (.unreachable, "this machine has no address or port to connect from")
    case EHOSTUNREACH, ENETUNREACH, EHOSTDOWN, ENETDOWN, ENONET, ENODEV, ENOPROTOOPT, EPROTO:
      (.unreachable, "no route to the host")
    default: (.system, "the system call failed")
    }
  }

  private static func reason(_ code: Int32) -> String {
    SystemError(operation: "", code: code).reason.lowercasedFirst
  }
}

/// Runs a system call and adds the peer's name to its error.
func forPeer<Result: ~Copyable>(
  _ peer: String, _ call: @autoclosure () throws(SystemError) -> Result
) throws(ConnectionError) -> Result {
  try mapError(call()) { (error: SystemError) in ConnectionError(error, for: peer) }
}

extension String {
  var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
