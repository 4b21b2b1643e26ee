/// Reads bits, most significant first; zeros after the end.
struct BitReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func read(_ count: Int) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<count {
      let bit = position / 8 < bytes.count ? bytes[position / 8] >> (7 - UInt8(position % 8)) & 1 : 0
      value = value << 1 | UInt32(bit)
      position += 1
    }
    return value
  }

  /// Reads an unsigned Exp-Golomb number (`ue(v)`).
  mutating func readExponentialGolomb() -> UInt32 {
    var zeros = 0
    while zeros < 31, position / 8 < bytes.count, read(1) == 0 { zeros += 1 }
    return (1 << UInt32(zeros)) - 1 + read(zeros)
  }
}
