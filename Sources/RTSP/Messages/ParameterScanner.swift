/// Scans a header of names and `name=value` pairs, with optional quotes.
struct ParameterScanner {
  enum Word: Hashable {
    case name(String)
    case parameter(name: String, value: String)
  }

  private let bytes: [UInt8]
  private var offset = 0

  private static let quote: UInt8 = 0x22
  private static let backslash: UInt8 = 0x5C
  private static let equals: UInt8 = 0x3D

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func next() -> Word? {
    skip { $0 == 0x20 || $0 == 0x09 || $0 == 0x2C }
    guard offset < bytes.count else { return nil }
    let name = take { $0 != 0x20 && $0 != 0x09 && $0 != 0x2C && $0 != Self.equals }
    let afterName = offset
    skipBlanks()
    guard offset < bytes.count, bytes[offset] == Self.equals else {
      offset = afterName
      return .name(name)
    }
    offset += 1
    skipBlanks()
    return .parameter(name: name, value: value())
  }

  private mutating func value() -> String {
    guard offset < bytes.count, bytes[offset] == Self.quote else {
      return take { $0 != 0x2C && $0 != 0x20 && $0 != 0x09 }
    }
    offset += 1
    var value: [UInt8] = []
    while offset < bytes.count, bytes[offset] != Self.quote {
      if bytes[offset] == Self.backslash, offset + 1 < bytes.count { offset += 1 }
      value.append(bytes[offset])
      offset += 1
    }
    offset += 1
    return String(decoding: value, as: UTF8.self)
  }

  private mutating func skipBlanks() { skip { $0 == 0x20 || $0 == 0x09 } }

  private mutating func skip(while isSkipped: (UInt8) -> Bool) {
    while offset < bytes.count, isSkipped(bytes[offset]) { offset += 1 }
  }

  private mutating func take(while isTaken: (UInt8) -> Bool) -> String {
    let start = offset
    skip(while: isTaken)
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }
}
