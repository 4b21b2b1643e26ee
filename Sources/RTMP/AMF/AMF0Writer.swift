import HoldfastMediaModel

enum AMF0Writer {
  static func bytes(of values: [AMFValue]) -> [UInt8] {
    var bytes: [UInt8] = []
    for value in values { append(value, to: &bytes) }
    return bytes
  }

  private static func append(_ value: AMFValue, to bytes: inout [UInt8]) {
    switch value {
    case .number(let number):
      bytes.append(0)
      append(number.bitPattern, size: 8, to: &bytes)
    case .boolean(let flag): bytes += [1, flag ? 1 : 0]
    case .string(let text):
      let utf8 = Array(text.utf8)
      bytes.append(utf8.count > 0xFFFF ? 12 : 2)
      append(utf8.count, size: utf8.count > 0xFFFF ? 4 : 2, to: &bytes)
      bytes += utf8
    case .null, .other: bytes.append(5)
    case .undefined: bytes.append(6)
    case .object(let fields):
      bytes.append(3)
      append(fields, to: &bytes)
    case .map(let fields):
      bytes.append(8)
      append(fields.count, size: 4, to: &bytes)
      append(fields, to: &bytes)
    case .list(let values):
      bytes.append(10)
      append(values.count, size: 4, to: &bytes)
      for value in values { append(value, to: &bytes) }
    case .date(let milliseconds):
      bytes.append(11)
      append(milliseconds.bitPattern, size: 8, to: &bytes)
      bytes += [0, 0]
    }
  }

  private static func append(_ fields: [AMFValue.Field], to bytes: inout [UInt8]) {
    for field in fields {
      let key = Array(field.key.utf8.prefix(0xFFFF))
      append(key.count, size: 2, to: &bytes)
      bytes += key
      append(field.value, to: &bytes)
    }
    bytes += [0, 0, 9]
  }

  private static func append(_ number: some FixedWidthInteger, size: Int, to bytes: inout [UInt8]) {
    bytes.append(bigEndian: UInt64(truncatingIfNeeded: number), count: size)
  }
}
