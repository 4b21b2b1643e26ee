import HoldfastCSRT
import HoldfastMediaModel

struct SRTStatistics: Hashable, Sendable {
  var roundTrip = MediaTime.zero
  /// Without retransmissions.
  var packetsSent: Int64 = 0
  var packetsLost: Int64 = 0
  var packetsRetransmitted: Int64 = 0
  var acknowledgements: Int64 = 0
  var unacknowledgedPackets = 0
  var unacknowledgedBytes = 0
  /// The receiver's buffering: the larger of both sides' settings.
  var latency = MediaTime.zero

  /// The library counts the headers of IP, UDP and SRT.
  private static let headerSize = 20 + 8 + 16
}

extension SRTStatistics {
  init(_ raw: SRT_TRACEBSTATS) {
    roundTrip = MediaTime(nanoseconds: Int64(raw.msRTT * 1e6))
    packetsSent = raw.pktSentUniqueTotal
    packetsLost = Int64(raw.pktSndLossTotal)
    packetsRetransmitted = Int64(raw.pktRetransTotal)
    acknowledgements = Int64(raw.pktRecvACKTotal)
    unacknowledgedPackets = Int(raw.pktSndBuf)
    unacknowledgedBytes = Int(raw.byteSndBuf) - Int(raw.pktSndBuf) * Self.headerSize
    latency = .milliseconds(Int64(raw.msSndTsbPdDelay))
  }
}
