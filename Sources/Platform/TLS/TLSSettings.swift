/// Whom a connection with TLS trusts.
package struct TLSSettings: Hashable, Sendable {
  /// A file of certificates in PEM that are trusted beside the system's.
  package var caFile: String?
  /// False takes any certificate: nobody is kept from listening, or from being somebody else.
  package var isVerified = true

  package init(caFile: String? = nil, isVerified: Bool = true) {
    self.caFile = caFile
    self.isVerified = isVerified
  }
}
