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

/// Puts boxes together.
package enum Box {
  /// Of a box's length and type.
  package static let headLength = 8

  package static func make(_ type: FourCC, _ content: [UInt8]) -> [UInt8] {
    head(type, length: headLength + content.count) + content
  }

  /// What stands in front of the content of a box that is `length` long in all.
  static func head(_ type: FourCC, length: Int) -> [UInt8] {
    bytes(UInt32(length)) + bytes(type.code)
  }

  package static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.add(value)
    return bytes
  }
}

extension [UInt8] {
  mutating func add(_ value: some FixedWidthInteger) {
    for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  mutating func addHead(of type: FourCC, length: Int) {
    add(UInt32(length))
    add(type.code)
  }
}
