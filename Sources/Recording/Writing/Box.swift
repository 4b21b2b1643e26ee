/// Puts boxes of MP4 together.
enum Box {
  /// Of a box's length and type.
  static let headLength = 8

  static func make(_ type: StaticString, _ content: [UInt8]) -> [UInt8] {
    head(type, length: headLength + content.count) + content
  }

  /// What stands in front of the content of a box that is `length` long in all.
  static func head(_ type: StaticString, length: Int) -> [UInt8] {
    bytes(UInt32(length)) + bytes(FourCharacters(type).code)
  }

  static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }
}

extension [UInt8] {
  mutating func add(_ value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }

  mutating func addHead(of type: StaticString, length: Int) {
    add(UInt32(length))
    add(FourCharacters(type).code)
  }
}
