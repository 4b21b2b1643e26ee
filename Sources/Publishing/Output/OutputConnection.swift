import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform

/// One connection of an output: its sink, the packets sent on it, and the server's acknowledgements.
final class OutputConnection {
  let sink: any ServerSink
  private var sent = SentPackets()
  private var firstSentAt: MonotonicTime?
  /// Start of the media that belongs to this connection.
  private var earliest: MediaTime?
  private var tooEarly = OutputLoss()
  private var latest: MediaTime?
  /// The maximum lag of one track behind the other.
  private(set) var lag = MediaTime.zero
  private var isStalled = false
  /// When the server was first seen to owe an answer.
  private var waitingSince: MonotonicTime?
  private var lastProgress: MonotonicTime
  private var throughput = Throughput()
  private var nextSample: MonotonicTime

  /// Limits what the sink holds: only the queue can drop packets.
  private static let maxBacklog = 64 << 10
  /// A server that owes an answer counts as stalled after this time.
  private static let stallThreshold = MediaTime.seconds(1)
  /// After a longer pause between an answer and the next request, the server's time limit restarts.
  private static let maxPause = MediaTime.milliseconds(500)
  /// Sound is encoded later than its picture; this much of it from before the first picture is sent.
  static let maxEarly = MediaTime.milliseconds(100)
  private static let sampleInterval = MediaTime.milliseconds(250)

  init(_ sink: any ServerSink) {
    self.sink = sink
    lastProgress = .now
    nextSample = .now + Self.sampleInterval
  }

  func open(_ request: PublishRequest, until deadline: MonotonicTime, stop: Wakeup) throws(SinkError) {
    try sink.open(request, until: deadline, stop: stop)
    lastProgress = sink.health.lastProgress
  }

  var hasSentMedia: Bool { firstSentAt != nil }

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
    isStalled = false
    waitingSince = nil
    lastProgress = sink.health.lastProgress
  }

  /// Packets from before the connection's start that were dropped since the last call.
  func takeTooEarly() -> OutputLoss {
    defer { tooEarly = OutputLoss() }
    return tooEarly
  }

  func takeUnconfirmed() -> OutputLoss {
    sent.confirm(until: sink.health.confirmedUntil)
    return sent.takeAsLost()
  }

  /// The server's progress since the last call; throws `noProgress` after `stallTimeout` without any.
  func checkProgress(
    at now: MonotonicTime, stallTimeout: MediaTime
  ) throws(SinkError) -> OutputReading.Progress {
    let health = sink.health
    if !health.isWaitingForPeer { waitingSince = nil }
    if health.lastProgress > lastProgress {
      lastProgress = health.lastProgress
      waitingSince = nil
      sent.confirm(until: health.confirmedUntil)
      defer { isStalled = false }
      if isStalled { return .recovered }
      return firstSentAt.map { lastProgress > $0 } ?? false ? .progressed : .nothingNew
    }
    guard health.isWaitingForPeer else { return .nothingNew }
    let began = waitingSince ?? now
    waitingSince = began
    let silence = now - (began - lastProgress > Self.maxPause ? began : lastProgress)
    guard silence > Self.stallThreshold else { return .nothingNew }
    if silence > stallTimeout {
      throw SinkError(.noProgress, "no response for \(Int(silence.seconds.rounded())) s")
    }
    guard !isStalled else { return .nothingNew }
    isStalled = true
    return .stalled
  }

  /// A sample for the bitrate's controller; nil until the next one is due.
  func sample(queued: MediaTime, at now: MonotonicTime) -> BitrateController.Sample? {
    guard now >= nextSample else { return nil }
    nextSample = now + Self.sampleInterval
    let health = sink.health
    let taken = health.bytesSent - Int64(health.unsentBytes) - Int64(sink.backlog)
    return BitrateController.Sample(
      queued: queued, throughput: throughput.bitsPerSecond(taken: taken, at: now), isStalled: isStalled,
      lossRate: health.lossRate)
  }
}
