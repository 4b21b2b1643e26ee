package import HoldfastMediaModel

/// A frame's machine-readable mark in the test picture.
package struct FrameMark: Hashable, Sendable {
  package let number: UInt32
  /// In whole microseconds.
  package let captureTime: MonotonicTime

  package init(number: UInt32, captureTime: MonotonicTime) {
    self.number = number
    self.captureTime = MonotonicTime(
      nanoseconds: max(0, captureTime.nanoseconds) / 1000 % Self.timeLimit * 1000)
  }

  /// In microseconds; almost nine years of uptime.
  private static let timeLimit: Int64 = 1 << 48
}

extension FrameMark {
  static let bitCount = 96

  /// Number, time and checksum in the lower 96 bits.
  var word: UInt128 {
    let payload = UInt128(number) << 48 | UInt128(captureTime.nanoseconds / 1000)
    return payload << 16 | UInt128(Self.checksum(of: payload))
  }

  /// Nil if the checksum does not match.
  init?(word: UInt128) {
    let payload = word >> 16
    guard word >> Self.bitCount == 0, Self.checksum(of: payload) == UInt16(truncatingIfNeeded: word) else {
      return nil
    }
    let microseconds = Int64(payload & UInt128(Self.timeLimit - 1))
    number = UInt32(truncatingIfNeeded: payload >> 48)
    captureTime = MonotonicTime(nanoseconds: microseconds * 1000)
  }

  /// CRC-16-CCITT, initialized with ones so that a black picture is not a mark.
  private static func checksum(of payload: UInt128) -> UInt16 {
    var register: UInt16 = 0xffff
    for shift in stride(from: 72, through: 0, by: -8) {
      register ^= UInt16(truncatingIfNeeded: payload >> shift) << 8
      for _ in 0..<8 { register = register & 0x8000 == 0 ? register << 1 : register << 1 ^ 0x1021 }
    }
    return register
  }
}
