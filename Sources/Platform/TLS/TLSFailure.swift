internal import HoldfastCOpenSSL

/// Why TLS gave up, as OpenSSL tells it, in words.
struct TLSFailure: Error, Hashable {
  let kind: ConnectionError.Kind
  let what: String
  let hint: String?

  init(_ kind: ConnectionError.Kind, _ what: String, hint: String? = nil) {
    self.kind = kind
    self.what = what
    self.hint = hint
  }

  /// The connection ended in the middle of TLS.
  static let cut = TLSFailure(.closed, "the connection was cut (it ended without TLS's good-bye)")

  /// What OpenSSL has put into this thread's queue of errors, which is empty afterwards.
  static func last(_ fallback: String) -> TLSFailure {
    let code = ERR_peek_error()
    defer { ERR_clear_error() }
    guard code != 0 else { return TLSFailure(.tls, fallback) }
    let words = ERR_reason_error_string(code).map { String(cString: $0) } ?? fallback
    guard ERR_GET_LIB(code) == ERR_LIB_SSL else { return TLSFailure(.tls, words) }
    switch ERR_GET_REASON(code) {
    case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_TLSV1_ALERT_PROTOCOL_VERSION, SSL_R_VERSION_TOO_LOW:
      return TLSFailure(
        .tls, "the server does not speak TLS 1.2 or newer (\(words))", hint: "the server needs an update")
    case SSL_R_WRONG_VERSION_NUMBER, SSL_R_HTTP_REQUEST, SSL_R_PACKET_LENGTH_TOO_LONG:
      return TLSFailure(
        .tls, "what answers there does not speak TLS (\(words))", hint: "check the port, or go without TLS")
    default:
      return TLSFailure(.tls, "TLS failed (\(words))")
    }
  }

  /// A server's certificate that verification has refused with one of X509_V_ERR_….
  init(certificate code: Int, host: String) {
    let trust = "if you trust it, name its certificate or authority with --tls-ca FILE"
    let insecure = "; --tls-insecure takes any certificate"
    switch Int32(clamping: code) {
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
      self.init(.certificate, "its certificate is self-signed", hint: trust + insecure)
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
      X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
      self.init(
        .certificate, "its certificate is signed by an authority that is not known here",
        hint: trust + insecure)
    case X509_V_ERR_CERT_HAS_EXPIRED:
      self.init(
        .certificate, "its certificate has expired",
        hint: "the server needs a new one, or this machine's clock is wrong" + insecure)
    case X509_V_ERR_CERT_NOT_YET_VALID:
      self.init(
        .certificate, "its certificate is not valid yet", hint: "check this machine's clock" + insecure)
    case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
      self.init(
        .certificate, "its certificate is for another host than \(host)",
        hint: "use the name that the certificate is for" + insecure)
    default:
      let words = String(cString: X509_verify_cert_error_string(code))
      self.init(.certificate, "its certificate is not to be trusted (\(words))", hint: trust + insecure)
    }
  }
}

extension ConnectionError {
  init(_ failure: TLSFailure, for peer: String) {
    self.init(failure.kind, "\(peer): \(failure.what)", hint: failure.hint)
  }
}
