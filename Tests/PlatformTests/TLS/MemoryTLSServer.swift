import HoldfastCOpenSSL
import HoldfastPlatform
import TestSupport

/// The server's side of TLS in memory, straight on OpenSSL.
final class MemoryTLSServer {
  private let context: OpaquePointer
  private let ssl: OpaquePointer
  private let incoming: OpaquePointer
  private let outgoing: OpaquePointer

  struct Failed: Error { let call: String }

  init(_ pair: TestCertificate) throws {
    guard let context = SSL_CTX_new(TLS_server_method()) else { throw Failed(call: "SSL_CTX_new") }
    self.context = context
    guard let ssl = SSL_new(context), let incoming = BIO_new(BIO_s_mem()), let outgoing = BIO_new(BIO_s_mem())
    else { throw Failed(call: "SSL_new") }
    (self.ssl, self.incoming, self.outgoing) = (ssl, incoming, outgoing)
    SSL_set_bio(ssl, incoming, outgoing)
    SSL_set_accept_state(ssl)
    guard SSL_use_certificate_file(ssl, pair.certificate, SSL_FILETYPE_PEM) == 1,
      SSL_use_PrivateKey_file(ssl, pair.key, SSL_FILETYPE_PEM) == 1
    else { throw Failed(call: "SSL_use_certificate_file") }
  }

  deinit {
    SSL_free(ssl)
    SSL_CTX_free(context)
  }

  var isReady: Bool { SSL_is_init_finished(ssl) == 1 }
  private(set) var hasEnded = false

  /// Takes bytes of the network, and gives back the plain ones in them.
  func receive(_ bytes: [UInt8]) -> [UInt8] {
    if !bytes.isEmpty { BIO_write(incoming, bytes, Int32(bytes.count)) }
    var plain: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 16384)
    while true {
      let count = SSL_read(ssl, &piece, Int32(piece.count))
      if count <= 0 {
        if SSL_get_error(ssl, count) == SSL_ERROR_ZERO_RETURN { hasEnded = true }
        ERR_clear_error()
        return plain
      }
      plain += piece[..<Int(count)]
    }
  }

  func write(_ bytes: [UInt8]) { SSL_write(ssl, bytes, Int32(bytes.count)) }

  func close() { SSL_shutdown(ssl) }

  /// Bytes for the network.
  func takeOutgoing() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(outgoing))
    if !bytes.isEmpty { BIO_read(outgoing, &bytes, Int32(bytes.count)) }
    return bytes
  }
}
