/// The AV1 configuration record (content of `av1C`).
package enum AV1Configuration {
  /// The record from a track's headers (a record or a sequence header OBU), for 8 bits and 4:2:0; nil if
  /// invalid.
  package static func record(headers: [UInt8]) -> [UInt8]? {
    if headers.first == markerAndVersion, headers.count >= size { return headers }
    guard let unit = unit(of: headers.span, at: 0), unit.kind == sequenceHeader, unit.content.count >= 3
    else {
      return nil
    }
    return record(of: Array(headers[unit.content]), unit: headers)
  }

  /// The sequence header OBU of a key picture, or the record that some encoders return instead.
  static func headers(in bytes: borrowing Span<UInt8>) -> [UInt8]? {
    guard !bytes.isEmpty else { return nil }
    if bytes[0] == markerAndVersion { return bytes.indices.map { bytes[$0] } }
    var offset = 0
    while let unit = unit(of: bytes, at: offset) {
      if unit.kind == sequenceHeader { return (offset..<unit.content.upperBound).map { bytes[$0] } }
      offset = unit.content.upperBound
    }
    return nil
  }

  private static let sequenceHeader: UInt8 = 1

  /// The type and content of the OBU at `offset`.
  private static func unit(
    of bytes: borrowing Span<UInt8>, at offset: Int
  ) -> (kind: UInt8, content: Range<Int>)? {
    guard offset < bytes.count, bytes[offset] & 0x80 == 0 else { return nil }
    let first = bytes[offset]
    var start = offset + (first & 4 == 0 ? 1 : 2)
    var length = max(0, bytes.count - start)
    if first & 2 != 0 {
      length = 0
      for shift in stride(from: 0, to: 28, by: 7) {
        guard start < bytes.count else { return nil }
        let byte = bytes[start]
        start += 1
        length |= Int(byte & 0x7F) << shift
        if byte & 0x80 == 0 { break }
      }
    }
    guard start + length <= bytes.count else { return nil }
    return (first >> 3 & 15, start..<start + length)
  }

  private static func record(of content: [UInt8], unit: [UInt8]) -> [UInt8] {
    var bits = BitReader(content)
    let profile = bits.read(3)
    _ = bits.read(1)
    let (level, tier) = bits.read(1) == 1 ? (bits.read(5), 0) : firstOperatingPoint(&bits)
    return [markerAndVersion, UInt8(profile << 5 | level), UInt8(tier << 7 | 0x0C), 0] + unit
  }

  /// Differs from every OBU, whose first bit is 0.
  private static let markerAndVersion: UInt8 = 0x81
  /// Without OBUs.
  private static let size = 4

  private static func firstOperatingPoint(_ bits: inout BitReader) -> (level: UInt32, tier: UInt32) {
    if bits.read(1) == 1 {
      _ = bits.read(32)
      _ = bits.read(32)
      if bits.read(1) == 1 { _ = bits.readExponentialGolomb() }
      if bits.read(1) == 1 { _ = bits.read(47) }
    }
    _ = bits.read(1 + 5 + 12)
    let level = bits.read(5)
    return (level, level > 7 ? bits.read(1) : 0)
  }
}
