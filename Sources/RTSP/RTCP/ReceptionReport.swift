/// A receiver's statistics of one source: an RTCP report block (RFC 3550, 6.4).
package struct ReceptionReport: Hashable, Sendable {
  package let source: UInt32
  /// The share of packets lost since the last report.
  package let lossRate: Double

  /// All report blocks of a compound packet, up to the first malformed one.
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

  /// 24 bytes must follow `offset`.
  private init(_ bytes: borrowing Span<UInt8>, _ offset: Int) {
    var source: UInt32 = 0
    for index in offset..<offset + 4 { source = source << 8 | UInt32(bytes[index]) }
    self.source = source
    lossRate = Double(bytes[offset + 4]) / 256
  }
}

enum RTCPType {
  static let senderReport: UInt8 = 200
  static let receiverReport: UInt8 = 201
  static let sourceDescription: UInt8 = 202
}
