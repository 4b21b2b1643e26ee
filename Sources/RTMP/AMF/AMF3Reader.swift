/// Reads one AMF3 value. References yield placeholders, as servers rarely use them.
struct AMF3Reader {
  private let bytes: [UInt8]
  private(set) var offset: Int
  private let limits: RTMPLimits
  private(set) var values = 0
  private var strings: [String] = []
  private var traits: [Traits] = []

  private struct Traits {
    var keys: [String]
    var isDynamic: Bool
  }

  init(_ bytes: [UInt8], from offset: Int, limits: RTMPLimits) {
    self.bytes = bytes
    self.offset = offset
    self.limits = limits
  }

  mutating func value(depth: Int) throws(RTMPError) -> AMFValue {
    guard depth <= limits.amfDepth else { throw .limitExceeded("nested objects") }
    values += 1
    guard values <= limits.amfValues else { throw .limitExceeded("values in one message") }
    switch try byte() {
    case 0: return .undefined
    case 1: return .null
    case 2: return .boolean(false)
    case 3: return .boolean(true)
    case 4:
      // A signed number of 29 bits.
      let raw = Int64(try number())
      return .number(Double(raw >= 1 << 28 ? raw - 1 << 29 : raw))
    case 5: return .number(try double())
    case 6: return .string(try text())
    case 7, 11, 12: return try skippedBytes()
    case 8:
      guard try number() & 1 == 1 else { return .other("reference") }
      return .date(try double())
    case 9: return try list(depth: depth)
    case 10: return try object(depth: depth)
    case let marker: throw .malformed("the AMF3 marker \(marker)")
    }
  }

  private mutating func skippedBytes() throws(RTMPError) -> AMFValue {
    let head = try number()
    guard head & 1 == 1 else { return .other("reference") }
    let count = Int(head >> 1)
    guard count <= bytes.count - offset else { throw .malformed("truncated AMF3") }
    offset += count
    return .other("bytes")
  }

  private mutating func list(depth: Int) throws(RTMPError) -> AMFValue {
    let head = try number()
    guard head & 1 == 1 else { return .other("reference") }
    let count = Int(head >> 1)
    guard count <= limits.amfValues else { throw .limitExceeded("values in one message") }
    var fields: [AMFValue.Field] = []
    while true {
      let key = try text()
      if key.isEmpty { break }
      fields.append(AMFValue.Field(key, try value(depth: depth + 1)))
    }
    var list: [AMFValue] = []
    for _ in 0..<count { list.append(try value(depth: depth + 1)) }
    return fields.isEmpty ? .list(list) : .object(fields)
  }

  private mutating func object(depth: Int) throws(RTMPError) -> AMFValue {
    let head = try number()
    guard head & 1 == 1 else { return .other("reference") }
    let traits = try traits(head)
    var fields: [AMFValue.Field] = []
    for key in traits.keys { fields.append(AMFValue.Field(key, try value(depth: depth + 1))) }
    while traits.isDynamic {
      let key = try text()
      if key.isEmpty { break }
      fields.append(AMFValue.Field(key, try value(depth: depth + 1)))
    }
    return .object(fields)
  }

  private mutating func traits(_ head: UInt32) throws(RTMPError) -> Traits {
    guard head & 2 == 2 else {
      let index = Int(head >> 2)
      guard index < traits.count else { throw .malformed("an invalid reference") }
      return traits[index]
    }
    guard head & 4 == 0 else { throw .malformed("an object in an external format") }
    _ = try text()
    let count = Int(head >> 4)
    guard count <= limits.amfValues else { throw .limitExceeded("fields of an object") }
    var keys: [String] = []
    for _ in 0..<count { keys.append(try text()) }
    let new = Traits(keys: keys, isDynamic: head & 8 == 8)
    if traits.count < limits.amfValues { traits.append(new) }
    return new
  }

  private mutating func text() throws(RTMPError) -> String {
    let head = try number()
    guard head & 1 == 1 else {
      let index = Int(head >> 1)
      guard index < strings.count else { throw .malformed("an invalid reference") }
      return strings[index]
    }
    let count = Int(head >> 1)
    guard count <= bytes.count - offset else { throw .malformed("truncated AMF3") }
    let text = String(decoding: bytes[offset..<offset + count], as: UTF8.self)
    offset += count
    if count > 0, strings.count < limits.amfValues { strings.append(text) }
    return text
  }

  private mutating func byte() throws(RTMPError) -> UInt8 {
    guard offset < bytes.count else { throw .malformed("truncated AMF3") }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// One to four bytes; the high bit of the first three says whether another follows.
  private mutating func number() throws(RTMPError) -> UInt32 {
    var result: UInt32 = 0
    for _ in 0..<3 {
      let next = try byte()
      result = result << 7 | UInt32(next & 0x7F)
      if next & 0x80 == 0 { return result }
    }
    return result << 8 | UInt32(try byte())
  }

  private mutating func double() throws(RTMPError) -> Double {
    var bits: UInt64 = 0
    for _ in 0..<8 { bits = bits << 8 | UInt64(try byte()) }
    return Double(bitPattern: bits)
  }
}
