import HoldfastMediaModel
package import HoldfastPlatform

/// The files of `--tls-cert` and `--tls-key`.
package struct CertificateFiles: Hashable, Sendable {
  private let certificate: String
  private let key: String

  /// Nil without a certificate. Without `key`, the certificate's file also holds the key. `hsts` needs a certificate.
  package init?(certificate: String?, key: String?, hsts: Bool = false) throws(Refusal) {
    guard let certificate else {
      guard key == nil else {
        throw Refusal(
          .usage, "--tls-key", "a key without a certificate", "add its certificate with --tls-cert")
      }
      guard !hsts else {
        throw Refusal(.usage, "--hsts", "there is no TLS to insist on", "add a certificate with --tls-cert")
      }
      return nil
    }
    self.certificate = certificate
    self.key = key ?? certificate
  }

  package func read() throws(Refusal) -> TLSIdentity {
    try valid(
      TLSIdentity(certificateFile: certificate, keyFile: key), for: "--tls-cert", .notFound,
      hint: "check that the certificate and the key match")
  }
}
