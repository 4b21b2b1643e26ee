import HoldfastCSRT
import HoldfastMediaModel

struct SRTStatistics: Hashable, Sendable {
  var roundTrip = MediaTime.zero
  /// Each counted once.
  var packetsSent: Int64 = 0
  /// Packets that the receiver reported missing, and those that were sent again.
  var packetsLost: Int64 = 0
  var packetsSentAgain: Int64 = 0
  var acknowledgements: Int64 = 0
  /// What the receiver has not acknowledged.
  var unacknowledgedPackets = 0
  var unacknowledgedBytes = 0
  /// How long the receiver holds what has arrived: the longer of what the two sides asked for.
  var latency = MediaTime.zero

  /// The library counts the headers of IP, UDP and SRT with every packet.
  private static let headerSize = 20 + 8 + 16
}

extension SRTStatistics {
  init(_ raw: SRT_TRACEBSTATS) {
    roundTrip = MediaTime(nanoseconds: Int64(raw.msRTT * 1e6))
    packetsSent = raw.pktSentUniqueTotal
    packetsLost = Int64(raw.pktSndLossTotal)
    packetsSentAgain = Int64(raw.pktRetransTotal)
    acknowledgements = Int64(raw.pktRecvACKTotal)
    unacknowledgedPackets = Int(raw.pktSndBuf)
    unacknowledgedBytes = Int(raw.byteSndBuf) - Int(raw.pktSndBuf) * Self.headerSize
    latency = .milliseconds(Int64(raw.msSndTsbPdDelay))
  }
}
