import HoldfastCOpenSSL

/// The other end of a TLS connection, as errors name it.
enum TLSPeer: String {
  case server, client
}

extension ConnectionError {
  /// The TCP connection ended without a TLS close_notify.
  static func cut(_ peer: String) -> ConnectionError {
    ConnectionError(.closed, "\(peer): the connection was cut (it ended without a TLS close_notify)")
  }

  /// The oldest error in this thread's OpenSSL queue, or `fallback`; empties the queue.
  static func lastTLS(_ peer: String, _ fallback: String, from kind: TLSPeer = .server) -> ConnectionError {
    let (what, hint) = lastTLSReason(fallback, from: kind)
    return ConnectionError(.tls, "\(peer): \(what)", hint: hint)
  }

  static func lastTLSReason(
    _ fallback: String, from peer: TLSPeer = .server
  ) -> (what: String, hint: String?) {
    let code = ERR_peek_error()
    defer { ERR_clear_error() }
    guard code != 0 else { return (fallback, nil) }
    let words = ERR_reason_error_string(code).map { String(cString: $0) } ?? fallback
    guard ERR_GET_LIB(code) == ERR_LIB_SSL else { return (words, nil) }
    switch ERR_GET_REASON(code) {
    case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_TLSV1_ALERT_PROTOCOL_VERSION, SSL_R_VERSION_TOO_LOW:
      return ("the \(peer) does not speak TLS 1.2 or newer (\(words))", "update the \(peer)")
    case SSL_R_WRONG_VERSION_NUMBER, SSL_R_HTTP_REQUEST, SSL_R_PACKET_LENGTH_TOO_LONG:
      return ("the \(peer) does not speak TLS on this port (\(words))", "check the port, or use no TLS")
    case SSL_R_TLSV1_ALERT_UNKNOWN_CA, SSL_R_SSLV3_ALERT_BAD_CERTIFICATE,
      SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN, SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED:
      return (
        "the \(peer) does not trust the certificate (\(words))",
        "make the certificate or its CA a trusted one there"
      )
    default:
      return ("TLS failed (\(words))", nil)
    }
  }

  /// Verification of `host`'s certificate failed with `code`, an X509_V_ERR_… value.
  init(_ peer: String, certificate code: Int, host: String) {
    let trust = "if you trust it, make its certificate or CA a trusted one"
    let (what, hint) =
      switch Int32(clamping: code) {
      case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: ("is self-signed", trust)
      case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
        X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
        ("is signed by an authority unknown to this machine", trust)
      case X509_V_ERR_CERT_HAS_EXPIRED:
        ("has expired", "renew it on the server, correct this machine's clock")
      case X509_V_ERR_CERT_NOT_YET_VALID: ("is not valid yet", "check this machine's clock")
      case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
        ("is for a host other than \(host)", "use a name that its subjectAltName lists")
      default:
        ("can't be trusted (\(String(cString: X509_verify_cert_error_string(code))))", trust)
      }
    self.init(.certificate, "\(peer): its certificate \(what)", hint: hint + ", or skip this check")
  }
}
