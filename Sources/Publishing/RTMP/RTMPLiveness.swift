import HoldfastMediaModel
import HoldfastPlatform

/// An RTMP server's signs of life: acknowledgements, answers to pings, and where it gives neither, what its system takes.
///
/// A kernel goes on acknowledging for a program that is frozen, so the protocol's own answers count more.
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
  /// What was handed over until then has arrived.
  private var confirmedUntil: MonotonicTime
  private var marks: [Mark] = []
  private var nextPing: MonotonicTime
  private var pings: UInt32 = 0
  private var roundTrip: MediaTime?
  private var taken: Int64 = 0

  private static let pingInterval = MediaTime.milliseconds(300)

  /// A ping that is not yet answered, and how many bytes went before it.
  private struct Mark {
    let ping: UInt32
    let at: MonotonicTime
    let bytes: UInt64
  }

  private static let maxMarks = 64

  init(at now: MonotonicTime) {
    lastProgress = now
    confirmedUntil = now
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

  /// The number that the next ping carries; nil while it is not due. `bytes` were handed over before it.
  mutating func duePing(at now: MonotonicTime, after bytes: UInt64) -> UInt32? {
    guard hasAccepted, now >= nextPing else { return nil }
    nextPing = now + Self.pingInterval
    pings &+= 1
    marks.append(Mark(ping: pings, at: now, bytes: bytes))
    if marks.count > Self.maxMarks { marks.removeFirst() }
    return pings
  }

  /// The server has read everything that came before the ping of this number.
  mutating func answer(to ping: UInt32, at now: MonotonicTime) {
    pongs = true
    lastProgress = now
    guard let index = marks.firstIndex(where: { $0.ping == ping }) else { return }
    roundTrip = now - marks[index].at
    confirm(through: index)
  }

  private mutating func confirm(through index: Int) {
    confirmedUntil = max(confirmedUntil, marks[index].at)
    marks.removeSubrange(...index)
  }

  mutating func acknowledge(_ total: UInt64, at now: MonotonicTime) {
    guard total > acknowledged else { return }
    acknowledged = total
    acknowledges = true
    lastProgress = now
    guard !pongs, let index = marks.lastIndex(where: { $0.bytes <= total }) else { return }
    confirm(through: index)
  }

  /// Bytes that the server's system takes are progress only where the server itself never answers.
  mutating func observe(_ transport: Transport, at now: MonotonicTime) {
    guard transport.taken > taken else { return }
    taken = transport.taken
    guard !acknowledges, !pongs else { return }
    lastProgress = now
    confirmedUntil = now
  }

  func health(_ transport: Transport) -> SinkHealth {
    let isAnswering = acknowledges || pongs
    return SinkHealth(
      lastProgress: lastProgress, confirmedUntil: confirmedUntil,
      isWaitingForPeer: isAnswering
        ? pongs && !marks.isEmpty || transport.sent - Int64(clamping: acknowledged) > 2 * Int64(window)
        : transport.unsent + transport.backlog > 0,
      isPeerAnswering: isAnswering, unsentBytes: transport.unsent,
      roundTrip: roundTrip ?? transport.roundTrip, bytesSent: transport.sent)
  }
}
