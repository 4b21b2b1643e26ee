import HoldfastCOpenSSL

/// An SSL_CTX shared by the sessions with the same settings or the same certificate; requires TLS 1.2 or newer.
package final class TLSContext: @unchecked Sendable {  // not changed after `init`; OpenSSL locks it itself
  let raw: OpaquePointer
  /// Nil for servers.
  private let settings: TLSSettings?

  private init(
    _ method: OpaquePointer?, _ settings: TLSSettings? = nil, name: String
  ) throws(ConnectionError) {
    ERR_clear_error()
    guard let raw = SSL_CTX_new(method) else { throw .lastTLS(name, "no memory") }
    self.raw = raw
    self.settings = settings
    guard cssl_require_tls_1_2(raw) == 1 else { throw .lastTLS(name, "TLS 1.2 is not available") }
    SSL_CTX_set_options(raw, cssl_OP_NO_RENEGOTIATION)
  }

  /// For clients; `name` is the server's name in errors.
  convenience init(_ settings: TLSSettings, name: String) throws(ConnectionError) {
    try self.init(TLS_client_method(), settings, name: name)
    SSL_CTX_set_verify(raw, settings.isVerified ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nil)
    guard settings.isVerified else { return }
    SSL_CTX_set_default_verify_paths(raw)
    // Allows `caFile` to hold the server's own certificate without its issuer.
    X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(raw), UInt(X509_V_FLAG_PARTIAL_CHAIN))
    if let file = settings.caFile, SSL_CTX_load_verify_locations(raw, file, nil) != 1 {
      let reason = ConnectionError.lastTLSReason("it can't be read").what
      throw ConnectionError(
        .certificate, "\(name): \(file) contains no readable certificate (\(reason))",
        hint: "choose a PEM file")
    }
    ERR_clear_error()
  }

  /// For servers, which ask clients for no certificates. Each connection gets a full handshake.
  package convenience init(_ identity: TLSIdentity) throws(ConnectionError) {
    try self.init(TLS_server_method(), name: "the certificate")
    cssl_keep_no_sessions(raw)
    guard identity.install(in: raw) else {
      let reason = ConnectionError.lastTLSReason("its certificate and key can't be read", from: .client).what
      throw ConnectionError(
        .certificate, "the certificate can't be used (\(reason))",
        hint: "choose another one, with a key of 2048 bits or more for RSA")
    }
    ERR_clear_error()
  }

  /// The contexts by settings, cached because loading the system's CAs takes some 30 ms.
  private static let known = Locked<[TLSSettings: TLSContext]>([:])

  /// The cached or new context; nil without settings. `name` is the server's name in errors.
  static func shared(_ settings: TLSSettings?, name: String) throws(ConnectionError) -> TLSContext? {
    guard let settings else { return nil }
    if let context = known.withLock({ $0[settings] }) { return context }
    let context = try TLSContext(settings, name: name)
    known.withLock { $0[settings] = context }
    return context
  }

  /// Removes the context from the cache, so that the next connection reloads the CAs.
  func forget() {
    if let settings { Self.known.withLock { $0[settings] = nil } }
  }

  var isVerified: Bool { settings?.isVerified ?? false }

  deinit { SSL_CTX_free(raw) }
}

/// How a TLS connection verifies the server's certificate.
package struct TLSSettings: Hashable, Sendable {
  /// A PEM file of certificates trusted in addition to the system's.
  package var caFile: String?
  /// False accepts any certificate, so the server is not authenticated.
  package var isVerified = true

  package init(caFile: String? = nil, isVerified: Bool = true) {
    self.caFile = caFile
    self.isVerified = isVerified
  }
}
