internal import HoldfastCOpenSSL

/// Whom a connection with TLS trusts.
package struct TLSSettings: Hashable, Sendable {
  /// A PEM file of certificates that are trusted in addition to the system's.
  package var caFile: String?
  /// False accepts any certificate: the connection is neither private nor authenticated.
  package var isVerified = true

  package init(caFile: String? = nil, isVerified: Bool = true) {
    self.caFile = caFile
    self.isVerified = isVerified
  }
}

/// What sessions with the same settings share: trust, and the protocol versions (TLS 1.2 and newer).
final class TLSContext: @unchecked Sendable {  // not changed after `init`; OpenSSL locks it itself
  let raw: OpaquePointer
  private let settings: TLSSettings

  init(_ settings: TLSSettings, name: String) throws(ConnectionError) {
    ERR_clear_error()
    guard let raw = SSL_CTX_new(TLS_client_method()) else { throw .lastTLS(name, "no memory") }
    self.raw = raw
    self.settings = settings
    guard cssl_require_tls_1_2(raw) == 1 else { throw .lastTLS(name, "TLS 1.2 is not to be had") }
    SSL_CTX_set_options(raw, cssl_OP_NO_RENEGOTIATION)
    SSL_CTX_set_verify(raw, settings.isVerified ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nil)
    guard settings.isVerified else { return }
    SSL_CTX_set_default_verify_paths(raw)
    // A server's own certificate in `caFile` is enough, whoever signed it.
    X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(raw), UInt(X509_V_FLAG_PARTIAL_CHAIN))
    if let file = settings.caFile, SSL_CTX_load_verify_locations(raw, file, nil) != 1 {
      let reason = ConnectionError.lastTLSReason("it can't be read").what
      throw ConnectionError(
        .certificate, "\(name): \(file) holds no certificate that can be read (\(reason))",
        hint: "--tls-ca takes a file in PEM")
    }
    ERR_clear_error()
  }

  /// Contexts in use: reading the system's authorities takes some 30 ms, which a retry should not.
  private static let known = Locked<[TLSSettings: TLSContext]>([:])

  /// The context for a connection to `name`; nil without settings.
  static func shared(_ settings: TLSSettings?, name: String) throws(ConnectionError) -> TLSContext? {
    guard let settings else { return nil }
    if let context = known.withLock({ $0[settings] }) { return context }
    let context = try TLSContext(settings, name: name)
    known.withLock { $0[settings] = context }
    return context
  }

  /// Makes the next connection read the authorities again, as they may have been corrected.
  func forget() { Self.known.withLock { $0[settings] = nil } }

  var isVerified: Bool { settings.isVerified }

  deinit { SSL_CTX_free(raw) }
}
