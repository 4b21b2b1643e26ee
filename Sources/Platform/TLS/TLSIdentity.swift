import Glibc
import HoldfastCOpenSSL
import HoldfastCPlatform
package import HoldfastMediaModel

/// A server's certificate chain and private key, in PEM and verified to match.
package struct TLSIdentity: Hashable, Sendable, CustomStringConvertible {
  /// The server's certificate, followed by any intermediate ones.
  package let certificate: String
  package let key: String

  static let limit = 256 * 1024

  /// Never the key, whatever is printed.
  package var description: String { "a certificate and its key" }

  package init(certificateFile: String, keyFile: String) throws(InvalidValue) {
    let certificate = try Self.read(certificateFile, isSecret: false)
    let key = try Self.read(keyFile, isSecret: true)
    defer { ERR_clear_error() }
    guard let parsed = Self.withSource(certificate, Self.nextCertificate) else {
      throw InvalidValue("\(certificateFile) contains no certificate", hint: "use one in PEM format")
    }
    defer { X509_free(parsed) }
    guard let parsedKey = Self.withSource(key, Self.privateKey) else {
      throw InvalidValue(
        "\(keyFile) contains no readable key", hint: "use one in PEM format, without a password")
    }
    defer { EVP_PKEY_free(parsedKey) }
    guard X509_check_private_key(parsed, parsedKey) == 1 else {
      throw InvalidValue(
        "\(keyFile) is not the key for \(certificateFile)", hint: "put the server's own certificate first")
    }
    self.certificate = certificate
    self.key = key
  }

  /// Makes a context present the chain; false, with the reason in OpenSSL's queue, if OpenSSL refuses chain or key.
  func install(in context: OpaquePointer) -> Bool {
    let hasCertificates = Self.withSource(certificate) { source in
      var isFirst = true
      while let next = Self.nextCertificate(source) {
        defer { X509_free(next) }
        let isTaken =
          isFirst
          ? SSL_CTX_use_certificate(context, next) == 1 : cssl_add_chain_certificate(context, next) == 1
        guard isTaken else { return false }
        isFirst = false
      }
      // The end of the text is an error, too.
      guard !isFirst, ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE else { return false }
      ERR_clear_error()
      return true
    }
    guard hasCertificates == true, let key = Self.withSource(key, Self.privateKey) else { return false }
    defer { EVP_PKEY_free(key) }
    return SSL_CTX_use_PrivateKey(context, key) == 1
  }

  // Both refuse a passphrase; without a callback OpenSSL would prompt at the terminal.
  private static func nextCertificate(_ source: OpaquePointer) -> OpaquePointer? {
    PEM_read_bio_X509(source, nil, { _, _, _, _ in -1 }, nil)
  }

  private static func privateKey(_ source: OpaquePointer) -> OpaquePointer? {
    PEM_read_bio_PrivateKey(source, nil, { _, _, _, _ in -1 }, nil)
  }

  private static func withSource<Result>(_ text: String, _ read: (OpaquePointer) -> Result?) -> Result? {
    Array(text.utf8).withUnsafeBytes { bytes in
      guard let source = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else { return nil }
      defer { BIO_free(source) }
      return read(source)
    }
  }

  private static func read(_ path: String, isSecret: Bool) throws(InvalidValue) -> String {
    let bytes: [UInt8]
    do throws(SystemError) {
      let file = try FileDescriptor.openForReading(path)
      if isSecret, file.isOpenToAll {
        throw SystemError(operation: path, code: EPERM)
      }
      bytes = try file.bytes(limit + 1, at: 0)
    } catch  where error.code == EPERM {
      throw InvalidValue("the key file \(path) is open to all users", hint: "chmod o= \(path)")
    } catch {
      throw InvalidValue("\(error)")
    }
    guard bytes.count <= limit, !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
      throw InvalidValue("\(path) is not a PEM file", hint: nil)
    }
    return text
  }
}

extension FileDescriptor {
  /// Whether other users have any access to the file; true if that is unknown.
  fileprivate var isOpenToAll: Bool {
    guard let status = try? status() else { return true }
    return status.st_mode & 0o007 != 0
  }
}
