import HoldfastMediaModel

/// An RTCP sender report with the source's name (RFC 3550, 6.4 and 6.5); receivers synchronize tracks by it.
package struct SenderReport: Hashable, Sendable {
  package var source: UInt32
  /// `wallClock` and `mediaTime` are the same instant.
  package var wallClock: NTPTime
  package var mediaTime: UInt32
  package var packets: UInt32
  package var octets: UInt32
  /// Common to all tracks of a session.
  package var name: String

  package init(
    source: UInt32, wallClock: NTPTime, mediaTime: UInt32, packets: UInt32, octets: UInt32, name: String
  ) {
    self.source = source
    self.wallClock = wallClock
    self.mediaTime = mediaTime
    self.packets = packets
    self.octets = octets
    self.name = name
  }

  package var bytes: [UInt8] {
    var bytes: [UInt8] = [0x80, RTCPType.senderReport, 0, 6]
    for word in [source, wallClock.seconds, wallClock.fraction, mediaTime, packets, octets] {
      bytes.append(bigEndian: UInt64(word), count: 4)
    }
    // A zero ends the item, padded to whole words.
    let text = Array(name.utf8.prefix(255))
    let padding = 4 - (2 + text.count) % 4
    let words = (4 + 2 + text.count + padding) / 4
    bytes += [0x81, RTCPType.sourceDescription, 0, UInt8(words)]
    bytes.append(bigEndian: UInt64(source), count: 4)
    bytes += [1, UInt8(text.count)] + text + [UInt8](repeating: 0, count: padding)
    return bytes
  }
}

/// RTCP's wall clock: seconds since 1900 and fractions of 2^-32 s.
package struct NTPTime: Hashable, Sendable {
  package let seconds: UInt32
  package let fraction: UInt32

  private static let secondsFrom1900To1970: Int64 = 2_208_988_800

  /// Nanoseconds since 1970. The seconds wrap in 2036, as receivers expect.
  package init(wallClockNanoseconds: Int64) {
    let (seconds, rest) = wallClockNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    self.seconds = UInt32(truncatingIfNeeded: seconds &+ Self.secondsFrom1900To1970)
    fraction = UInt32(truncatingIfNeeded: (rest << 32) / 1_000_000_000)
  }
}
