internal import HoldfastCapture
internal import HoldfastFFmpeg
internal import HoldfastMediaModel
internal import HoldfastPlatform

/// Sound: a queue of some 1 s, a thread that aligns and encodes.
final class AudioLane: Lane {
  struct Settings: Sendable {
    var codec: Codec
    var format: AudioFormat
    var bitrate: Int
  }

  private struct QueuedBlock: Sendable {
    let block: AudioBlock
    let provenance: Provenance
    /// The queue had no room right before this block.
    let isAfterDrop: Bool
  }

  private struct Intake: Sendable {
    /// The queue had no room for the last block.
    var hasDropped = false
    /// Blocks that are in the queue, or being encoded.
    var waiting = 0
  }

  private let feed: SoundFeed
  private let attachment: Int
  private let shape: AudioShape
  private let settings: Settings
  private let destination: LaneDestination
  private let queue = BoundedQueue<QueuedBlock>(capacity: 100)
  private let intake = Locked(Intake())
  private let thread = ThreadSlot()

  /// Sound that is kept until the next picture has come; more than any camera needs to start.
  private static let maxWaiting = 1000

  init(feed: SoundFeed, shape: AudioShape, settings: Settings, destination: LaneDestination) {
    self.feed = feed
    attachment = feed.nextAttachment()
    self.shape = shape
    self.settings = settings
    self.destination = destination
  }

  func start() throws {
    try thread.start(name: "audio-encoder") { [self] in encode() }
    try feed.attach(
      destination.receiver(
        of: .audio, take: { [self] in take($0, $1) }, end: { [self] in stop() }), as: attachment)
  }

  func stop() {
    feed.detach(attachment)
    destination.timeLine.withdraw(.audio)
    queue.close()
  }

  func join() {
    feed.settle(attachment)
    thread.join()
  }

  private func take(_ block: AudioBlock, _ provenance: Provenance) {
    let isAfterDrop = intake.withLock { $0.hasDropped }
    let isTaken = queue.offer(
      QueuedBlock(block: block, provenance: provenance, isAfterDrop: isAfterDrop))
    intake.withLock { intake in
      intake.hasDropped = !isTaken
      if isTaken { intake.waiting += 1 }
    }
  }

  var isBehind: Bool { intake.withLock { $0.waiting > 0 } }

  private func encode() {
    var hasReachedEnd = false
    do {
      // Opened before anything is captured: a server is told what comes.
      let encoder = try AudioEncoder(settings.codec, format: settings.format, bitrate: settings.bitrate)
      var track = try AlignedTrack(shape: shape, encoder: encoder, destination: destination)
      var waiting: [QueuedBlock] = []
      var newest = 0
      var source: Int?
      while !track.isComplete, let queued = queue.take() {
        defer { intake.withLock { $0.waiting -= 1 } }
        // What an old source gives when another one has taken its place.
        guard queued.provenance.source >= newest else { continue }
        newest = queued.provenance.source
        waiting.append(queued)
        try add(&waiting, to: &track, lastSource: &source)
      }
      hasReachedEnd = track.isComplete
      try track.finish()
    } catch {
      destination.report(.encodingFailed(.audio, "\(error)"))
    }
    stop()
    destination.reportEnd(of: .audio, hasReachedEnd: hasReachedEnd)
  }

  /// Adds those of the blocks whose place on the time line is known.
  private func add(
    _ waiting: inout [QueuedBlock], to track: inout AlignedTrack, lastSource source: inout Int?
  ) throws {
    while let queued = waiting.first {
      let block = queued.block
      let end = block.captureTime + block.duration
      guard case .parts(let parts) = destination.timeLine.place(sound: block.captureTime..<end) else {
        if waiting.count > Self.maxWaiting { waiting.removeFirst() }
        return
      }
      waiting.removeFirst()
      if let source, queued.provenance.source > source, let shape = feed.shape {
        try track.change(to: shape)
      }
      source = queued.provenance.source
      for part in parts {
        try track.add(
          block.cut(to: part.captured), at: part.media, isAfterPause: part.isAfterPause,
          isAfterDrop: queued.isAfterDrop, isStandIn: queued.provenance.isStandIn)
      }
      let isCut = parts.last.map { $0.captured.upperBound < end } ?? true
      if isCut, track.isRunning {
        try track.stand(at: destination.timeLine.standstill, isAway: queued.provenance.isStandIn)
        destination.report(.held(.audio))
      }
      if !isCut, !track.isRunning { destination.reportBeginning() }
      track.isRunning = !isCut
    }
  }
}
