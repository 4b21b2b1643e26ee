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
