internal import HoldfastCSRT
package import HoldfastMediaModel

/// What libsrt tells of a connection: how the way is, and what is on it.
package struct SRTStatistics: Hashable, Sendable {
  package var roundTrip = MediaTime.zero
  /// Packets of ours, each counted once, and the bytes in them.
  package var packetsSent: Int64 = 0
  package var bytesSent: Int64 = 0
  /// Packets that the receiver reported missing, and those that were sent again.
  package var packetsLost: Int64 = 0
  package var packetsSentAgain: Int64 = 0
  /// Packets that came too late to be sent at all.
  package var packetsDropped: Int64 = 0
  package var acknowledgements: Int64 = 0
  /// What the receiver has not acknowledged.
  package var unacknowledgedPackets = 0
  package var unacknowledgedBytes = 0
  package var unacknowledgedTime = MediaTime.zero
  /// What the way can carry, in bits per second, as the receiver estimates it.
  package var bandwidth: Double = 0
  /// How long the receiver holds what has arrived: the longer of what the two sides asked for.
  package var latency = MediaTime.zero

  /// The library counts the headers of IP, UDP and SRT with every packet.
  private static let headerSize: Int64 = 20 + 8 + 16

  package init() {}

  init(_ raw: SRT_TRACEBSTATS) {
    roundTrip = MediaTime(nanoseconds: Int64(raw.msRTT * 1e6))
    packetsSent = raw.pktSentUniqueTotal
    bytesSent = Int64(clamping: raw.byteSentUniqueTotal) - packetsSent * Self.headerSize
    packetsLost = Int64(raw.pktSndLossTotal)
    packetsSentAgain = Int64(raw.pktRetransTotal)
    packetsDropped = Int64(raw.pktSndDropTotal)
    acknowledgements = Int64(raw.pktRecvACKTotal)
    unacknowledgedPackets = Int(raw.pktSndBuf)
    unacknowledgedBytes = Int(raw.byteSndBuf) - Int(raw.pktSndBuf) * Int(Self.headerSize)
    unacknowledgedTime = .milliseconds(Int64(raw.msSndBuf))
    bandwidth = raw.mbpsBandwidth * 1e6
    latency = .milliseconds(Int64(raw.msSndTsbPdDelay))
  }
}
