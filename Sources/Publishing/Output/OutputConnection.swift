import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform

/// One connection of an output: its sink, the packets sent on it, and the server's acknowledgements.
final class OutputConnection {
  let sink: any ServerSink
  private var sent = SentPackets()
  private(set) var hasSentMedia = false
  /// Start of the media that belongs to this connection.
  private var earliest: MediaTime?
  private var tooEarly = OutputLoss()
  private var latest: MediaTime?
  /// The maximum lag of one track behind the other.
  private(set) var lag = MediaTime.zero
  private var throughput = Throughput()
  private var nextSample: MonotonicTime

  /// Limits what the sink holds: only the queue can drop packets.
  private static let maxBacklog = 64 << 10
  /// Sound is encoded later than its picture; this much of it from before the first picture is sent.
  static let maxEarly = MediaTime.milliseconds(100)
  private static let sampleInterval = MediaTime.milliseconds(250)

  init(_ sink: any ServerSink) {
    self.sink = sink
    nextSample = .now + Self.sampleInterval
  }

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
      sent.add(packet, at: .now)
      hasSentMedia = true
      try sink.send(packet)
    }
  }

  func resume(until deadline: MonotonicTime) throws(SinkError) {
    try sink.resume(until: deadline)
    (hasSentMedia, earliest, sent) = (false, nil, SentPackets())
  }

  /// Packets from before the connection's start that were dropped since the last call.
  func takeTooEarly() -> OutputLoss {
    defer { tooEarly = OutputLoss() }
    return tooEarly
  }

  /// Everything sent that the server has not confirmed.
  var unconfirmed: OutputLoss {
    sent.confirm(until: sink.health.confirmedUntil)
    return sent.unconfirmed
  }

  /// What the server has said, and what was lost since the last reading.
  func read(_ queue: SendQueue, at now: MonotonicTime) -> OutputReading {
    let (health, queued) = (sink.health, queue.duration)
    sent.confirm(until: health.confirmedUntil)
    let unconfirmed = health.confirmsPictures ? sent.oldest : [:]
    return OutputReading(
      health, queued: queued, sample: sample(health, queued: queued, at: now), lost: takeTooEarly(),
      undelivered: unconfirmed.merging(queue.oldest) { unconfirmed, _ in unconfirmed })
  }

  /// A sample for the bitrate's controller; nil until the next one is due.
  private func sample(
    _ health: SinkHealth, queued: MediaTime, at now: MonotonicTime
  ) -> BitrateController.Sample? {
    guard now >= nextSample else { return nil }
    nextSample = now + Self.sampleInterval
    let taken = health.bytesSent - Int64(health.unsentBytes) - Int64(sink.backlog)
    return BitrateController.Sample(
      queued: queued, unsentBytes: sink.backlog, throughput: throughput.bitsPerSecond(taken: taken, at: now),
      lossRate: health.lossRate)
  }
}
