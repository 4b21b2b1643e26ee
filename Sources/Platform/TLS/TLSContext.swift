internal import HoldfastCOpenSSL

/// What sessions with the same settings share: whom they trust, and what they speak (TLS 1.2 and newer).
final class TLSContext: @unchecked Sendable {  // not changed after `init`; OpenSSL locks it itself
  let raw: OpaquePointer
  private let settings: TLSSettings

  init(_ settings: TLSSettings) throws(TLSFailure) {
    ERR_clear_error()
    guard let raw = SSL_CTX_new(TLS_client_method()) else { throw .last("no memory") }
    self.raw = raw
    self.settings = settings
    guard cssl_require_tls_1_2(raw) == 1 else { throw .last("TLS 1.2 is not to be had") }
    SSL_CTX_set_options(raw, cssl_OP_NO_RENEGOTIATION)
    SSL_CTX_set_verify(raw, settings.isVerified ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nil)
    guard settings.isVerified else { return }
    SSL_CTX_set_default_verify_paths(raw)
    // A server's own certificate in `caFile` is enough: nobody needs to sign it.
    X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(raw), UInt(X509_V_FLAG_PARTIAL_CHAIN))
    if let file = settings.caFile, SSL_CTX_load_verify_locations(raw, file, nil) != 1 {
      let reason = TLSFailure.last("it can't be read").what
      throw TLSFailure(
        .certificate, "\(file) holds no certificate that can be read (\(reason))",
        hint: "--tls-ca takes a file in PEM")
    }
    ERR_clear_error()
  }

  /// Those in use: to read all authorities of the system takes some 30 ms, which a retry should not.
  private static let known = Locked<[TLSSettings: TLSContext]>([:])

  /// For a connection with `name`, where it wants TLS at all.
  static func shared(_ settings: TLSSettings?, name: String) throws(ConnectionError) -> TLSContext? {
    guard let settings else { return nil }
    if let context = known.withLock({ $0[settings] }) { return context }
    do throws(TLSFailure) {
      let context = try TLSContext(settings)
      known.withLock { $0[settings] = context }
      return context
    } catch {
      throw ConnectionError(error, for: name)
    }
  }

  /// The next connection reads the authorities anew: somebody may have mended them.
  func forget() {
    Self.known.withLock { $0[settings] = nil }
  }

  var isVerified: Bool { settings.isVerified }

  deinit {
    SSL_CTX_free(raw)
  }
}
