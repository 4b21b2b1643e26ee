import HoldfastMediaModel

/// A four-character code: a box type, a sample format or a handler.
package struct BoxType: Hashable, Sendable, ExpressibleByStringLiteral {
  let code: UInt32

  init(_ code: UInt32) { self.code = code }

  package init(stringLiteral name: String) { code = UInt32(truncatingIfNeeded: name.bigEndian) }

  /// The code as text, or `????` where it is not printable ASCII.
  var text: String {
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }
    return bytes.allSatisfy { (0x20..<0x7F).contains($0) } ? String(decoding: bytes, as: UTF8.self) : "????"
  }
}

/// Serializes boxes.
package enum Box {
  /// Length of a box header with a 32-bit size.
  package static let headLength = 8

  package static func make(_ type: BoxType, _ content: [UInt8]) -> [UInt8] {
    head(type, length: headLength + content.count) + content
  }

  /// The header of a box of `length` bytes, header included.
  static func head(_ type: BoxType, length: Int) -> [UInt8] { bytes(UInt32(length)) + bytes(type.code) }

  package static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.add(value)
    return bytes
  }
}

extension [UInt8] {
  mutating func add(_ value: some FixedWidthInteger) {
    append(bigEndian: UInt64(truncatingIfNeeded: value), count: value.bitWidth / 8)
  }

  mutating func addHead(of type: BoxType, length: Int) {
    add(UInt32(length))
    add(type.code)
  }
}
