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
  /// How far a packet was behind the latest one before it: the maximum, and the last.
  private var maxLag = MediaTime.zero
  private var lastLag = MediaTime.zero
  private var proof = PublishProof()
  private var throughput = Throughput()
  private var nextSample: MonotonicTime

  /// Limits what the sink holds: only the queue can drop packets.
  private static let maxBacklog = 64 << 10
  private static let sampleInterval = MediaTime.milliseconds(250)

  init(_ sink: any ServerSink) {
    self.sink = sink
    nextSample = .now + Self.sampleInterval
  }

  func send(from queue: SendQueue) throws(SinkError) { try send { queue.take() } }

  func sendDraining(of queue: SendQueue) throws(SinkError) { try send { queue.takeDraining() } }

  private func send(_ next: () -> MediaPacket?) throws(SinkError) {
    while sink.backlog < Self.maxBacklog, let packet = next() {
      let bound = earliest ?? packet.decodeTime
      earliest = bound
      guard packet.decodeTime >= bound else {
        tooEarly.add(packet)
        continue
      }
      let newest = max(latest ?? packet.decodeTime, packet.decodeTime)
      latest = newest
      lastLag = newest - packet.decodeTime
      maxLag = max(maxLag, lastLag)
      let now = MonotonicTime.now
      sent.add(packet, at: now)
      proof.mediaSent(at: now)
      hasSentMedia = true
      try sink.send(packet)
    }
  }

  func resume(until deadline: MonotonicTime) throws(SinkError) {
    try sink.resume(until: deadline)
    (hasSentMedia, earliest, sent, proof) = (false, nil, SentPackets(), PublishProof())
  }

  /// How far the last packet that the server has may be behind its latest one; nil if nothing was sent.
  func lagAtEnd(inOrder: Bool) -> MediaTime? { hasSentMedia ? inOrder ? lastLag : maxLag : nil }

  /// Packets from before the connection's start that were dropped since the last call.
  func takeTooEarly() -> OutputLoss {
    defer { tooEarly = OutputLoss() }
    return tooEarly
  }

  /// Everything sent that the server has not confirmed.
  var unconfirmed: OutputLoss {
    confirm(sink.health, at: .now)
    return sent.unconfirmed
  }

  /// What the server has said, and what was lost since the last reading.
  func read(_ queue: SendQueue, at now: MonotonicTime) -> OutputReading {
    let (health, queued) = (sink.health, queue.duration)
    confirm(health, at: now)
    let unconfirmed = health.confirmsPictures ? sent.oldest : [:]
    return OutputReading(
      health, queued: queued, sample: sample(health, queued: queued, at: now), lost: takeTooEarly(),
      undelivered: unconfirmed.merging(queue.oldest) { unconfirmed, _ in unconfirmed },
      isProven: proof.isGiven)
  }

  /// Nothing counts as received before the publish is proven.
  private func confirm(_ health: SinkHealth, at now: MonotonicTime) {
    proof.check(health, at: now)
    if proof.isGiven { sent.confirm(until: health.confirmedUntil) }
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
