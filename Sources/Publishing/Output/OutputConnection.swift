import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform

/// One connection of an output: its sink, what was sent on it, and how far the server has acknowledged it.
final class OutputConnection {
  let sink: any PacketSink
  private var sent = SentPackets()
  private var firstSentAt: MonotonicTime?
  /// What is older belongs to a time before this connection.
  private var earliest: MediaTime?
  private var tooEarly = OutputLoss()
  private var latest: MediaTime?
  /// How far one track lags behind the other, at most.
  private(set) var lag = MediaTime.zero
  private var isQuiet = false
  /// Since when the server owes an answer, at the earliest.
  private var waitingSince: MonotonicTime?
  private var lastProgress: MonotonicTime
  private var throughput = Throughput()
  private var nextSample: MonotonicTime

  /// No more than this is handed to the sink: what waits in the queue can still be left out.
  private static let maxBacklog = 64 << 10
  /// A server that has something to answer and doesn't is quiet after this long.
  private static let quietTimeout = MediaTime.seconds(1)
  /// The longest time between an answer and the next question; after a longer one the server's time begins anew.
  private static let maxPause = MediaTime.milliseconds(500)
  /// Sound comes later than its picture; this much of what lies before the first picture is sent.
  static let maxEarly = MediaTime.milliseconds(100)
  private static let sampleInterval = MediaTime.milliseconds(250)

  init(_ sink: any PacketSink) {
    self.sink = sink
    lastProgress = .now
    nextSample = .now + Self.sampleInterval
  }

  func open(_ request: PublishRequest, until deadline: MonotonicTime, stop: Wakeup) throws(SinkError) {
    try sink.open(request, until: deadline, stop: stop)
    lastProgress = sink.health.lastProgress
  }

  var hasSentMedia: Bool { firstSentAt != nil }

  /// Hands over packets as long as the network takes them.
  func send(from queue: SendQueue) throws(SinkError) {
    while sink.backlog < Self.maxBacklog, let packet = queue.take() {
      let bound = earliest ?? packet.decodeTime - Self.maxEarly
      earliest = bound
      guard packet.decodeTime >= bound else {
        tooEarly.add(packet)
        continue
      }
      let newest = max(latest ?? packet.decodeTime, packet.decodeTime)
      latest = newest
      lag = max(lag, newest - packet.decodeTime)
      let now = MonotonicTime.now
      sent.add(packet, at: now)
      if firstSentAt == nil { firstSentAt = now }
      try sink.send(packet)
    }
  }

  func resume(until deadline: MonotonicTime) throws(SinkError) {
    try sink.resume(until: deadline)
    firstSentAt = nil
    earliest = nil
    isQuiet = false
    waitingSince = nil
    lastProgress = sink.health.lastProgress
  }

  /// What was left out since the last call, because it lies before the connection's beginning.
  func takeTooEarly() -> OutputLoss {
    defer { tooEarly = OutputLoss() }
    return tooEarly
  }

  /// What the server may not have got, when the connection was lost.
  func takeUnconfirmed() -> OutputLoss {
    sent.confirm(until: sink.health.confirmedUntil)
    return sent.takeAsLost()
  }

  /// The server's signs of life since the last call; throws where there were none for too long.
  func checkProgress(
    at now: MonotonicTime, stallTimeout: MediaTime
  ) throws(SinkError) -> OutputReading.Progress {
    let health = sink.health
    if !health.isWaitingForPeer { waitingSince = nil }
    if health.lastProgress > lastProgress {
      lastProgress = health.lastProgress
      waitingSince = nil
      sent.confirm(until: health.confirmedUntil)
      defer { isQuiet = false }
      if isQuiet { return .spokeAgain }
      return firstSentAt.map { lastProgress > $0 } ?? false ? .progressed : .nothingNew
    }
    guard health.isWaitingForPeer else { return .nothingNew }
    // Before there was something to answer, silence meant nothing.
    let began = waitingSince ?? now
    waitingSince = began
    let silence = now - (began - lastProgress > Self.maxPause ? began : lastProgress)
    guard silence > Self.quietTimeout else { return .nothingNew }
    if silence > stallTimeout {
      throw SinkError(.noProgress, "no sign of life for \(silence.seconds.rounded()) s")
    }
    guard !isQuiet else { return .nothingNew }
    isQuiet = true
    return .wentQuiet
  }

  /// What the bitrate depends on; nil where it is too early for the next sample.
  func sample(queued: MediaTime, at now: MonotonicTime) -> BitrateController.Sample? {
    guard now >= nextSample else { return nil }
    nextSample = now + Self.sampleInterval
    let health = sink.health
    let taken = health.bytesSent - Int64(health.unsentBytes) - Int64(sink.backlog)
    return BitrateController.Sample(
      waiting: queued, throughput: throughput.bitsPerSecond(taken: taken, at: now), isStalled: isQuiet,
      lossRate: health.lossRate)
  }
}

/// The rate at which a network takes bytes, over the last second or so.
struct Throughput {
  private var marks: [(at: MonotonicTime, bytes: Int64)] = []

  private static let window = MediaTime.seconds(1)

  /// Nil until there is something to compare with.
  mutating func bitsPerSecond(taken bytes: Int64, at now: MonotonicTime) -> Double? {
    marks.append((now, bytes))
    while marks.count > 2, now - marks[1].at >= Self.window { marks.removeFirst() }
    guard let first = marks.first, now > first.at else { return nil }
    return max(0, Double(bytes - first.bytes) * 8 / (now - first.at).seconds)
  }
}
