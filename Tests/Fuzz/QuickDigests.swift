import HoldfastRTMP

extension MessageDigests {
  /// Cheap digests of a few bytes, so that a search does not spend its time on them.
  static let quick = MessageDigests(
    md5: { sum([], $0, count: 16) }, hmacSHA256: { key, message in sum(key, message, count: 32) })

  private static func sum(_ key: [UInt8], _ message: [UInt8], count: Int) -> [UInt8] {
    var state: UInt64 = 0xCBF2_9CE4_8422_2325
    for bytes in [key, message] {
      for place in stride(from: 0, to: bytes.count, by: 1 + bytes.count / 16) {
        state = (state ^ UInt64(bytes[place])) &* 0x100_0000_01B3
      }
    }
    let byte = UInt8(truncatingIfNeeded: state >> 32)
    return Array(repeating: byte, count: count)
  }
}
