internal import MediaModel
internal import Platform

/// What an RTMP server has shown of itself: acknowledgements, answers to pings, and where it gives neither, what the
/// operating system says of the bytes that are under way.
///
/// A kernel goes on acknowledging for a program that is frozen. So the publisher asks for acknowledgements and sends
/// pings, and learns which of the two this server answers.
struct RTMPLiveness {
  /// What the operating system knows of the connection.
  struct Transport {
    var unsent: Int
    var backlog: Int
    var sent: Int64
    var roundTrip: MediaTime?

    var taken: Int64 { sent - Int64(unsent) - Int64(backlog) }
  }

  private var hasAccepted = false
  /// How many bytes the server was asked to acknowledge each time.
  private var window: UInt32 = 0
  private var lastProgress: MonotonicTime
  private var acknowledges = false
  private var pongs = false
  private var acknowledged: UInt64 = 0
  /// The ping that is not yet answered.
  private var pingSentAt: MonotonicTime?
  private var nextPing: MonotonicTime
  private var pings: UInt32 = 0
  private var roundTrip: MediaTime?
  private var taken: Int64 = 0

  private static let pingInterval = MediaTime.milliseconds(300)

  init(at now: MonotonicTime) {
    lastProgress = now
    nextPing = now
  }

  /// How many bytes the server is asked to acknowledge each time: about 0.2 s of the stream.
  static func window(bitrate: Int) -> UInt32 {
    UInt32(clamping: max(16 << 10, min(1 << 20, bitrate / 8 / 5)))
  }

  mutating func accept(window: UInt32, at now: MonotonicTime) {
    self.window = window
    hasAccepted = true
    lastProgress = now
    nextPing = now
  }

  /// The number that the next ping carries; nil while it is not due.
  mutating func duePing(at now: MonotonicTime) -> UInt32? {
    guard hasAccepted, now >= nextPing else { return nil }
    nextPing = now + Self.pingInterval
    if pingSentAt == nil { pingSentAt = now }
    pings &+= 1
    return pings
  }

  mutating func answer(at now: MonotonicTime) {
    pongs = true
    roundTrip = pingSentAt.map { now - $0 }
    pingSentAt = nil
    lastProgress = now
  }

  mutating func acknowledge(_ total: UInt64, at now: MonotonicTime) {
    guard total > acknowledged else { return }
    acknowledged = total
    acknowledges = true
    lastProgress = now
  }

  /// Where the server itself says nothing, it counts as progress that its system takes bytes.
  mutating func look(_ transport: Transport, at now: MonotonicTime) {
    guard transport.taken > taken else { return }
    taken = transport.taken
    if !acknowledges, !pongs { lastProgress = now }
  }

  func health(_ transport: Transport) -> SinkHealth {
    let isAnswering = acknowledges || pongs
    return SinkHealth(
      lastProgress: lastProgress,
      isWaitingForPeer: isAnswering
        ? pongs && pingSentAt != nil || transport.sent - Int64(clamping: acknowledged) > 2 * Int64(window)
        : transport.unsent + transport.backlog > 0,
      isPeerAnswering: isAnswering, unsentBytes: transport.unsent,
      roundTrip: roundTrip ?? transport.roundTrip, bytesSent: transport.sent)
  }
}
