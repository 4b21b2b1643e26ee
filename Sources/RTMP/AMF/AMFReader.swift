/// Reads the values of one message: AMF0, with AMF3 where a value switches to it.
struct AMFReader {
  private let bytes: [UInt8]
  private var offset: Int
  private let limits: RTMPLimits
  private var values = 0
  private var complexValues = 0

  static func values(
    in payload: [UInt8], from offset: Int = 0, limits: RTMPLimits = RTMPLimits()
  ) throws(RTMPError) -> [AMFValue] {
    var reader = AMFReader(bytes: payload, offset: offset, limits: limits)
    var values: [AMFValue] = []
    while reader.offset < payload.count { values.append(try reader.value(depth: 0)) }
    return values
  }

  private mutating func value(depth: Int) throws(RTMPError) -> AMFValue {
    guard depth <= limits.amfDepth else { throw .limitExceeded("nested objects") }
    values += 1
    guard values <= limits.amfValues else { throw .limitExceeded("values in one message") }
    switch try byte() {
    case 0: return .number(try double())
    case 1: return .boolean(try byte() != 0)
    case 2: return .string(try text(size: 2))
    case 3: return .object(try fields(depth: depth))
    case 5: return .null
    case 6, 13: return .undefined
    case 7:
      guard try number(2) < complexValues else { throw .malformed("an invalid reference") }
      return .other("reference")
    case 8:
      _ = try number(4)
      return .map(try fields(depth: depth))
    case 10: return try list(depth: depth)
    case 11:
      let date = try double()
      _ = try number(2)
      return .date(date)
    case 12, 15: return .string(try text(size: 4))
    case 16:
      _ = try text(size: 2)
      return .object(try fields(depth: depth))
    case 17:
      var reader = AMF3Reader(bytes, from: offset, limits: limits)
      let value = try reader.value(depth: depth + 1)
      offset = reader.offset
      values += reader.values
      return value
    case let marker: throw .malformed("the AMF marker \(marker)")
    }
  }

  private mutating func list(depth: Int) throws(RTMPError) -> AMFValue {
    complexValues += 1
    let count = Int(try number(4))
    guard count <= limits.amfValues else { throw .limitExceeded("values in one message") }
    var list: [AMFValue] = []
    for _ in 0..<count { list.append(try value(depth: depth + 1)) }
    return .list(list)
  }

  private mutating func fields(depth: Int) throws(RTMPError) -> [AMFValue.Field] {
    complexValues += 1
    var fields: [AMFValue.Field] = []
    while true {
      let key = try text(size: 2)
      if key.isEmpty, offset < bytes.count, bytes[offset] == 9 {
        offset += 1
        return fields
      }
      fields.append(AMFValue.Field(key, try value(depth: depth + 1)))
    }
  }

  private mutating func byte() throws(RTMPError) -> UInt8 {
    guard offset < bytes.count else { throw .malformed("truncated AMF") }
    defer { offset += 1 }
    return bytes[offset]
  }

  private mutating func number(_ size: Int) throws(RTMPError) -> UInt64 {
    guard size <= bytes.count - offset else { throw .malformed("truncated AMF") }
    defer { offset += size }
    return bytes[offset..<offset + size].reduce(0) { $0 << 8 | UInt64($1) }
  }

  private mutating func double() throws(RTMPError) -> Double { Double(bitPattern: try number(8)) }

  private mutating func text(size: Int) throws(RTMPError) -> String {
    let count = Int(try number(size))
    guard count <= bytes.count - offset else { throw .malformed("truncated AMF") }
    defer { offset += count }
    return String(decoding: bytes[offset..<offset + count], as: UTF8.self)
  }
}
