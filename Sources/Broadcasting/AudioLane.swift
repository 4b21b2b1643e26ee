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

  /// Sound that is kept until the next picture has come; more than any camera needs to start.
  private static let mostWaiting = 1000

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
    surroundings.timeLine.withdraw(.audio)
    queue.close()
  }

  private func encode() {
    var hasReachedEnd = false
    do {
      // Opened before anything is captured: a server is told what comes.
      let encoder = try AudioEncoder(settings.codec, format: settings.format, bitrate: settings.bitrate)
      var track = try AlignedTrack(source: source, encoder: encoder, surroundings: surroundings)
      var waiting: [QueuedBlock] = []
      while !track.isComplete, let queued = queue.take() {
        waiting.append(queued)
        try add(&waiting, to: &track)
      }
      hasReachedEnd = track.isComplete
      try track.finish()
    } catch {
      surroundings.report(.encodingFailed(.audio, "\(error)"))
    }
    stopSignal.signal()
    queue.close()
    surroundings.report(.finished(.audio, hasReachedEnd: hasReachedEnd))
  }

  /// Adds those of the blocks whose place on the time line is known.
  private func add(_ waiting: inout [QueuedBlock], to track: inout AlignedTrack) throws {
    while let queued = waiting.first {
      let block = queued.block
      let end = block.captureTime + block.duration
      guard case .parts(let parts) = surroundings.timeLine.place(sound: block.captureTime..<end) else {
        if waiting.count > Self.mostWaiting { waiting.removeFirst() }
        return
      }
      waiting.removeFirst()
      for part in parts {
        try track.add(
          block.cut(to: part.captured), at: part.media, isAfterPause: part.isAfterPause,
          isAfterDrop: queued.isAfterDrop)
      }
      let isCut = parts.last.map { $0.captured.upperBound < end } ?? true
      if isCut, track.isRunning { surroundings.report(.held(.audio)) }
      track.isRunning = !isCut
    }
  }
}
