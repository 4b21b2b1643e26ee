/// Whom a connection with TLS trusts.
public struct TLSSettings: Hashable, Sendable {
  /// A file of certificates in PEM that are trusted beside the system's.
  public var caFile: String?
  /// False takes any certificate: nobody is kept from listening, or from being somebody else.
  public var isVerified = true

  public init(caFile: String? = nil, isVerified: Bool = true) {
    self.caFile = caFile
    self.isVerified = isVerified
  }
}
