/// The digests that handshakes and authentications ask for: given from outside, so that this target needs no library.
package struct MessageDigests: Sendable {
  package let md5: @Sendable (_ message: [UInt8]) -> [UInt8]
  package let hmacSHA256: @Sendable (_ key: [UInt8], _ message: [UInt8]) -> [UInt8]

  package init(
    md5: @escaping @Sendable (_ message: [UInt8]) -> [UInt8],
    hmacSHA256: @escaping @Sendable (_ key: [UInt8], _ message: [UInt8]) -> [UInt8]
  ) {
    self.md5 = md5
    self.hmacSHA256 = hmacSHA256
  }
}
