/// The digests of HTTP's Digest authentication, as lower-case hexadecimal: given from outside, so that this target
/// needs no library.
package struct DigestFunctions: Sendable {
  package let md5: @Sendable (_ message: [UInt8]) -> String
  package let sha256: @Sendable (_ message: [UInt8]) -> String

  package init(
    md5: @escaping @Sendable (_ message: [UInt8]) -> String,
    sha256: @escaping @Sendable (_ message: [UInt8]) -> String
  ) {
    self.md5 = md5
    self.sha256 = sha256
  }
}
