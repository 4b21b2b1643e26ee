/// The configuration record of AV1 (`av1C` without its box).
public enum AV1Configuration {
  /// The record for a sequence header's unit; nil where that is none. Our encoders make 8 bits and 4:2:0.
  public static func record(sequenceHeader unit: [UInt8]) -> [UInt8]? {
    guard let first = unit.first, first >> 3 & 15 == 1 else { return nil }
    var offset = first & 4 == 0 ? 1 : 2
    if first & 2 != 0 {
      while offset < unit.count, unit[offset] & 0x80 != 0 { offset += 1 }
      offset += 1
    }
    guard offset + 3 <= unit.count else { return nil }
    var bits = BitReader(Array(unit[offset...]))
    let profile = bits.read(3)
    _ = bits.read(1)
    let (level, tier) = bits.read(1) == 1 ? (bits.read(5), 0) : firstOperatingPoint(&bits)
    return [0x81, UInt8(profile << 5 | level), UInt8(tier << 7 | 0x0C), 0] + unit
  }

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
