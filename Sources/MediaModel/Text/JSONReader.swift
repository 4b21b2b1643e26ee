/// The offset of a JSON syntax error.
package struct JSONSyntaxError: Error, Hashable, Sendable {
  package let offset: Int
}

extension JSONValue {
  /// Parses exactly one value. Fields keep their order; integers beyond 64 bits become floating-point.
  package init(reading bytes: borrowing Span<UInt8>) throws(JSONSyntaxError) {
    var reader = JSONReader()
    self = try reader.value(bytes, depth: 0)
    reader.skipSpace(bytes)
    guard reader.offset == bytes.count else { throw JSONSyntaxError(offset: reader.offset) }
  }

  /// The first field named `key`; nil if missing or not an object.
  package func field(_ key: String) -> JSONValue? {
    guard case .object(let fields) = self else { return nil }
    return fields.first { $0.key == key }?.value
  }

  package var text: String? { if case .text(let text) = self { text } else { nil } }

  package var elements: [JSONValue]? { if case .list(let elements) = self { elements } else { nil } }

  package var flag: Bool? { if case .bool(let flag) = self { flag } else { nil } }

  package var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }

  /// Also an integer's.
  package var number: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    case .null, .bool, .text, .list, .object: nil
    }
  }
}

struct JSONReader {
  private(set) var offset = 0

  /// The nesting limit, as each level takes stack.
  static let depthLimit = 64

  mutating func value(_ bytes: borrowing Span<UInt8>, depth: Int) throws(JSONSyntaxError) -> JSONValue {
    skipSpace(bytes)
    guard depth < Self.depthLimit, let first = peek(bytes) else { throw JSONSyntaxError(offset: offset) }
    switch first {
    case UInt8(ascii: "{"): return .object(try fields(bytes, depth: depth))
    case UInt8(ascii: "["): return .list(try elements(bytes, depth: depth))
    case UInt8(ascii: "\""): return .text(try text(bytes))
    case UInt8(ascii: "t"): return try word("true", .bool(true), bytes)
    case UInt8(ascii: "f"): return try word("false", .bool(false), bytes)
    case UInt8(ascii: "n"): return try word("null", .null, bytes)
    default: return try number(bytes)
    }
  }

  mutating func skipSpace(_ bytes: borrowing Span<UInt8>) {
    while let byte = peek(bytes), [0x20, 0x09, 0x0A, 0x0D].contains(byte) { offset += 1 }
  }

  private func peek(_ bytes: borrowing Span<UInt8>) -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func take(_ expected: UInt8, _ bytes: borrowing Span<UInt8>) -> Bool {
    guard peek(bytes) == expected else { return false }
    offset += 1
    return true
  }

  private mutating func require(_ expected: UInt8, _ bytes: borrowing Span<UInt8>) throws(JSONSyntaxError) {
    guard take(expected, bytes) else { throw JSONSyntaxError(offset: offset) }
  }

  private mutating func fields(
    _ bytes: borrowing Span<UInt8>, depth: Int
  ) throws(JSONSyntaxError) -> [JSONValue.Field] {
    var fields: [JSONValue.Field] = []
    offset += 1
    skipSpace(bytes)
    if take(UInt8(ascii: "}"), bytes) { return fields }
    while true {
      skipSpace(bytes)
      let key = try text(bytes)
      skipSpace(bytes)
      try require(UInt8(ascii: ":"), bytes)
      fields.append(.init(key, try value(bytes, depth: depth + 1)))
      skipSpace(bytes)
      if take(UInt8(ascii: "}"), bytes) { return fields }
      try require(UInt8(ascii: ","), bytes)
    }
  }

  private mutating func elements(
    _ bytes: borrowing Span<UInt8>, depth: Int
  ) throws(JSONSyntaxError) -> [JSONValue] {
    var elements: [JSONValue] = []
    offset += 1
    skipSpace(bytes)
    if take(UInt8(ascii: "]"), bytes) { return elements }
    while true {
      elements.append(try value(bytes, depth: depth + 1))
      skipSpace(bytes)
      if take(UInt8(ascii: "]"), bytes) { return elements }
      try require(UInt8(ascii: ","), bytes)
    }
  }

  private mutating func word(
    _ word: StaticString, _ value: JSONValue, _ bytes: borrowing Span<UInt8>
  ) throws(JSONSyntaxError) -> JSONValue {
    for letter in String(describing: word).utf8 { try require(letter, bytes) }
    return value
  }

  private mutating func digits(_ bytes: borrowing Span<UInt8>) throws(JSONSyntaxError) {
    let start = offset
    while let byte = peek(bytes), (0x30...0x39).contains(byte) { offset += 1 }
    guard offset > start else { throw JSONSyntaxError(offset: offset) }
  }

  private mutating func number(_ bytes: borrowing Span<UInt8>) throws(JSONSyntaxError) -> JSONValue {
    let start = offset
    var isWhole = true
    _ = take(UInt8(ascii: "-"), bytes)
    if !take(UInt8(ascii: "0"), bytes) { try digits(bytes) }
    if take(UInt8(ascii: "."), bytes) {
      isWhole = false
      try digits(bytes)
    }
    if take(UInt8(ascii: "e"), bytes) || take(UInt8(ascii: "E"), bytes) {
      isWhole = false
      if !take(UInt8(ascii: "+"), bytes) { _ = take(UInt8(ascii: "-"), bytes) }
      try digits(bytes)
    }
    let written = String(decoding: (start..<offset).map { bytes[$0] }, as: UTF8.self)
    if isWhole, let integer = Int64(written) { return .integer(integer) }
    guard let number = Double(written), number.isFinite else { throw JSONSyntaxError(offset: start) }
    return .number(number)
  }

  private mutating func text(_ bytes: borrowing Span<UInt8>) throws(JSONSyntaxError) -> String {
    let start = offset
    try require(UInt8(ascii: "\""), bytes)
    var content: [UInt8] = []
    while let byte = peek(bytes), byte >= 0x20 {
      offset += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = String(validating: content, as: UTF8.self) else {
          throw JSONSyntaxError(offset: start)
        }
        return text
      case UInt8(ascii: "\\"): try content.append(contentsOf: String(escaped(bytes)).utf8)
      default: content.append(byte)
      }
    }
    throw JSONSyntaxError(offset: offset)
  }

  private mutating func escaped(_ bytes: borrowing Span<UInt8>) throws(JSONSyntaxError) -> Unicode.Scalar {
    guard let byte = peek(bytes) else { throw JSONSyntaxError(offset: offset) }
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let unit = try codeUnit(bytes)
      if let scalar = Unicode.Scalar(unit) { return scalar }
      // A surrogate: its other half must follow.
      guard take(UInt8(ascii: "\\"), bytes), take(UInt8(ascii: "u"), bytes) else { break }
      let second = try codeUnit(bytes)
      guard UTF16.isLeadSurrogate(unit), UTF16.isTrailSurrogate(second) else { break }
      return UTF16.decode(UTF16.EncodedScalar([unit, second]))
    default: break
    }
    throw JSONSyntaxError(offset: offset)
  }

  private mutating func codeUnit(_ bytes: borrowing Span<UInt8>) throws(JSONSyntaxError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = peek(bytes), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw JSONSyntaxError(offset: offset)
      }
      unit = unit << 4 | UInt16(digit)
      offset += 1
    }
    return unit
  }
}
