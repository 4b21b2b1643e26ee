/// The four letters that name a kind of box, or of samples.
package struct FourCC: Hashable, Sendable, ExpressibleByStringLiteral {
  let code: UInt32

  init(_ code: UInt32) {
    self.code = code
  }

  /// Of ASCII letters.
  package init(stringLiteral name: String) {
    code = name.utf8.reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// As it is written, where it can be.
  var text: String {
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }
    return bytes.allSatisfy { (0x20..<0x7F).contains($0) } ? String(decoding: bytes, as: UTF8.self) : "????"
  }
}
