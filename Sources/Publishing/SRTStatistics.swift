internal import CSRT
public import MediaModel

/// What libsrt tells of a connection: how the way is, and what is on it.
public struct SRTStatistics: Hashable, Sendable {
  public var roundTrip = MediaTime.zero
  /// Packets of ours, each counted once, and the bytes in them.
  public var packetsSent: Int64 = 0
  public var bytesSent: Int64 = 0
  /// Packets that the receiver reported missing, and those that were sent again.
  public var packetsLost: Int64 = 0
  public var packetsSentAgain: Int64 = 0
  /// Packets that came too late to be sent at all.
  public var packetsDropped: Int64 = 0
  public var acknowledgements: Int64 = 0
  /// What the receiver has not acknowledged.
  public var unacknowledgedPackets = 0
  public var unacknowledgedBytes = 0
  public var unacknowledgedTime = MediaTime.zero
  /// What the way can carry, in bits per second, as the receiver estimates it.
  public var bandwidth: Double = 0
  /// How long the receiver holds what has arrived: the longer of what the two sides asked for.
  public var latency = MediaTime.zero

  /// The library counts the headers of IP, UDP and SRT with every packet.
  private static let headerSize: Int64 = 20 + 8 + 16

  public init() {}

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
