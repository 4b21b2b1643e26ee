import HoldfastMediaModel
import HoldfastPlatform

/// Detects an RTMP server's progress: acknowledgements, pongs, or, if it sends neither, the bytes taken by
/// its operating system.
///
/// A kernel still acknowledges bytes for a frozen process, so the protocol's own replies take precedence.
struct RTMPLiveness {
  struct Transport {
    var unsent: Int
    var backlog: Int
    var sent: Int64
    var roundTrip: MediaTime?

    var taken: Int64 { sent - Int64(unsent) - Int64(backlog) }
  }

  private var hasAccepted = false
  /// The number of bytes after which the server is to acknowledge.
  private var window: UInt32 = 0
  private var lastProgress: MonotonicTime
  private var acknowledges = false
  private var answersPings = false
  private var acknowledged: UInt64 = 0
  private var confirmedUntil: MonotonicTime
  private var pendingPings: [PendingPing] = []
  private var nextPing: MonotonicTime
  private(set) var roundTrip: MediaTime?
  private var answers: AnswerTime
  private var taken: Int64 = 0

  /// A pong says which pictures the server has: a lost connection is told to within about one. The few bytes leave
  /// with a picture.
  private static let pingInterval = MediaTime.milliseconds(30)

  /// A ping without a pong, and the bytes sent before it.
  private struct PendingPing {
    let ping: UInt32
    let at: MonotonicTime
    let bytes: UInt64
  }

  private static let maxPendingPings = 512
  /// Where only the operating system answers.
  private static let provingTime = MediaTime.seconds(2)

  init(at now: MonotonicTime) {
    lastProgress = now
    confirmedUntil = now
    nextPing = now
    answers = AnswerTime(at: now)
  }

  /// The acknowledgement window: some 50 ms of the stream, and not over 0.3 s of one whose picture stands still.
  static func window(bitrate: Int) -> UInt32 {
    UInt32(clamping: max(2 << 10, min(1 << 20, bitrate / 8 / 20)))
  }

  mutating func accept(window: UInt32, at now: MonotonicTime) {
    self.window = window
    hasAccepted = true
    lastProgress = now
    nextPing = now
  }

  /// The number of the next ping; nil until it is due. `bytes` is the total sent before the ping. Only a server that
  /// has read the ping knows its number.
  mutating func duePing(at now: MonotonicTime, after bytes: UInt64) -> UInt32? {
    guard hasAccepted, now >= nextPing else { return nil }
    nextPing = now + Self.pingInterval
    let ping = UInt32.random(in: 0 ... .max)
    pendingPings.append(PendingPing(ping: ping, at: now, bytes: bytes))
    if pendingPings.count > Self.maxPendingPings { pendingPings.removeFirst() }
    return ping
  }

  /// The number of the ping behind the last packet; nil for a server that has never answered one.
  mutating func lastPing(at now: MonotonicTime, after bytes: UInt64) -> UInt32? {
    nextPing = now
    return answersPings ? duePing(at: now, after: bytes) : nil
  }

  var awaitsPongs: Bool { !pendingPings.isEmpty }

  /// How long it may take to answer what was sent last. A connection that is given up has only what it took before:
  /// what it owes is why it is given up.
  func patience(at now: MonotonicTime, isGivenUp: Bool = false) -> MediaTime {
    answers.patience(at: now, askedAt: answersPings && !isGivenUp ? pendingPings.first?.at : nil)
  }

  /// The server has read everything sent before this ping.
  mutating func pong(_ ping: UInt32, at now: MonotonicTime) {
    guard let index = pendingPings.firstIndex(where: { $0.ping == ping }) else { return }
    answersPings = true
    lastProgress = now
    let time = now - pendingPings[index].at
    roundTrip = time
    answers.answered(after: time, at: now)
    confirm(through: index)
  }

  private mutating func confirm(through index: Int) {
    confirmedUntil = max(confirmedUntil, pendingPings[index].at)
    pendingPings.removeSubrange(...index)
  }

  /// `taken` is what the server's operating system has: its program can't have read more.
  mutating func acknowledge(_ total: UInt64, taken: Int64, at now: MonotonicTime) {
    let total = min(total, UInt64(max(0, taken)))
    guard total > acknowledged else { return }
    acknowledged = total
    acknowledges = true
    lastProgress = now
    guard !answersPings, let index = pendingPings.lastIndex(where: { $0.bytes <= total }) else { return }
    answers.answered(after: now - pendingPings[index].at, at: now)
    confirm(through: index)
  }

  /// The server's program answers, not only its operating system.
  var isAnswering: Bool { acknowledges || answersPings }

  /// Bytes taken by the operating system of a server that never answers itself.
  mutating func observe(taken: Int64, at now: MonotonicTime) {
    guard taken > self.taken else { return }
    self.taken = taken
    lastProgress = now
    confirmedUntil = now
  }

  func health(_ transport: Transport) -> SinkHealth {
    SinkHealth(
      lastProgress: lastProgress, confirmedUntil: confirmedUntil, confirmsPictures: answersPings,
      isWaitingForPeer: isAnswering
        ? answersPings && !pendingPings.isEmpty
          || transport.sent - Int64(clamping: acknowledged) > 2 * Int64(window)
        : transport.unsent + transport.backlog > 0,
      isPeerAnswering: isAnswering, provingTime: isAnswering ? .zero : Self.provingTime,
      unsentBytes: transport.unsent,
      roundTrip: roundTrip ?? transport.roundTrip, bytesSent: transport.sent)
  }
}
