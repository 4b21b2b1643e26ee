package import HoldfastMediaModel

/// What a receiver says of what reached it of one source: a report block of RTCP (RFC 3550, 6.4).
package struct ReceptionReport: Hashable, Sendable {
  package let source: UInt32
  /// The share lost since the report before, in 256ths.
  package let fractionLost: UInt8
  /// Since the beginning; negative where packets came twice.
  package let packetsLost: Int32
  /// With the count of wraps in the upper half.
  package let highestSequence: UInt32
  /// In ticks of the media's clock.
  package let jitter: UInt32
  /// The middle of the last sender report's NTP time; 0 before the first one.
  package let lastSenderReport: UInt32
  /// Since that one came, in 65536ths of a second.
  package let delay: UInt32

  package var lossRate: Double { Double(fractionLost) / 256 }

  /// The way there and back, from the wall clock's time at which the report came.
  package func roundTrip(at wallClock: NTPTime) -> MediaTime? {
    guard lastSenderReport != 0 else { return nil }
    let ticks = Int32(bitPattern: wallClock.middle &- lastSenderReport &- delay)
    return ticks < 0 ? nil : MediaTime(ticks: Int64(ticks), timescale: 65536)
  }

  /// All report blocks in a compound packet; what is behind something malformed is left out.
  package static func reports(in packet: borrowing Span<UInt8>) -> [ReceptionReport] {
    var reports: [ReceptionReport] = []
    var offset = 0
    while packet.count - offset >= 4, packet[offset] >> 6 == 2 {
      let end = offset + 4 + 4 * (Int(packet[offset + 2]) << 8 | Int(packet[offset + 3]))
      guard end <= packet.count else { break }
      let first: Int? =
        switch packet[offset + 1] {
        case RTCPType.senderReport: offset + 28
        case RTCPType.receiverReport: offset + 8
        default: nil
        }
      if let first {
        for block in 0..<Int(packet[offset] & 0x1F) {
          let start = first + 24 * block
          guard start + 24 <= end else { break }
          reports.append(ReceptionReport(packet, start))
        }
      }
      offset = end
    }
    return reports
  }

  /// `offset` has 24 bytes behind it.
  private init(_ bytes: borrowing Span<UInt8>, _ offset: Int) {
    func word(_ index: Int, _ bytes: borrowing Span<UInt8>) -> UInt32 {
      (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[offset + 4 * index + $1]) }
    }
    source = word(0, bytes)
    let losses = word(1, bytes)
    fractionLost = UInt8(losses >> 24)
    packetsLost = Int32(bitPattern: losses << 8) >> 8
    highestSequence = word(2, bytes)
    jitter = word(3, bytes)
    lastSenderReport = word(4, bytes)
    delay = word(5, bytes)
  }
}

/// The packet types of RTCP that we read and write.
enum RTCPType {
  static let senderReport: UInt8 = 200
  static let receiverReport: UInt8 = 201
  static let sourceDescription: UInt8 = 202
}
