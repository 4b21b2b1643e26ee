internal import Capture
internal import FFmpeg
internal import MediaModel
internal import Platform

/// Sound: a thread that captures, a queue of some 1 s, a thread that aligns and encodes.
final class AudioLane: Lane {
  struct Settings: Sendable {
    var codec: Codec
    var format: AudioFormat
    var bitrate: Int
  }

  private struct QueuedBlock: Sendable {
    let block: AudioBlock
    /// The queue had no room right before this block.
    let isAfterDrop: Bool
  }

  private let source: any AudioSource
  private let settings: Settings
  private let surroundings: LaneSurroundings
  private let queue = BoundedQueue<QueuedBlock>(capacity: 100)
  private let stopSignal: StopSignal
  private let sourceThread = ThreadSlot()
  private let encoderThread = ThreadSlot()

  /// Sound that is kept until the first picture has come; more than any camera needs to start.
  private static let earlyBlocks = 1000

  init(source: any AudioSource, settings: Settings, surroundings: LaneSurroundings) throws {
    self.source = source
    self.settings = settings
    self.surroundings = surroundings
    stopSignal = try StopSignal()
  }

  func start() throws {
    try encoderThread.start(name: "audio-encoder") { [self] in encode() }
    try sourceThread.start(name: "audio-source") { [self] in capture() }
  }

  func stop() {
    stopSignal.signal()
  }

  func join() {
    sourceThread.join()
    queue.close()
    encoderThread.join()
  }

  private func capture() {
    var isAfterDrop = false
    var isOpen = false
    do {
      guard surroundings.isReady(source.isDevice, until: stopSignal) else { return queue.close() }
      try source.run(until: stopSignal) { block in
        if !isOpen { surroundings.report(.opened(.audio, summary: source.summary)) }
        isOpen = true
        isAfterDrop = !queue.offer(QueuedBlock(block: block, isAfterDrop: isAfterDrop))
      }
    } catch {
      surroundings.report(.sourceFailed(error))
    }
    surroundings.origin.withdraw(.audio)
    queue.close()
  }

  private func encode() {
    var hasReachedEnd = false
    do {
      var early: [QueuedBlock] = []
      // Opened before anything is captured: a server is told what comes.
      var encoder: AudioEncoder? = try AudioEncoder(
        settings.codec, format: settings.format, bitrate: settings.bitrate)
      var sender = TrackSender(surroundings)
      sender.announce(encoder?.track)
      var track: AlignedTrack?
      while track?.isComplete != true, let queued = queue.take() {
        early.append(queued)
        guard let origin = surroundings.origin.soundTaken(from: early[0].block.captureTime) else {
          if early.count > Self.earlyBlocks { early.removeFirst() }
          continue
        }
        if let encoder = encoder.take() {
          track = try AlignedTrack(
            source: source, encoder: encoder, sender: sender, surroundings: surroundings, origin: origin)
        }
        for queued in early { try track?.add(queued.block, isAfterDrop: queued.isAfterDrop) }
        early = []
      }
      hasReachedEnd = track?.isComplete ?? false
      try track?.finish()
    } catch {
      surroundings.report(.encodingFailed(.audio, "\(error)"))
    }
    stopSignal.signal()
    queue.close()
    surroundings.report(.finished(.audio, hasReachedEnd: hasReachedEnd))
  }
}
