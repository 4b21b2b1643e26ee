internal import Capture
internal import FFmpeg
internal import MediaModel
internal import Platform

/// Pictures: a thread that captures, a queue of some 270 ms, a thread that encodes.
///
/// The queue is empty unless the machine is busy: then a picture that is encoded late is better than one that is lost.
final class VideoLane: Lane {
  struct Settings: Sendable {
    var codec: Codec
    /// The encoders to try, in this order.
    var encoders: [EncoderImplementation]
    /// The largest size and the highest rate.
    var limit: VideoFormat
    var bitrate: Int
    var keyframeInterval: MediaTime
  }

  private struct QueuedFrame: ~Copyable, Sendable {
    let captured: CapturedFrame
    /// Pictures for which the queue had no room, right before this one.
    let droppedBefore: Int

    consuming func takeCaptured() -> CapturedFrame { captured }
  }

  private let source: any VideoSource
  private let settings: Settings
  private let surroundings: LaneSurroundings
  private let queue = BoundedQueue<QueuedFrame>(capacity: 8)
  private let stopSignal: StopSignal
  private let wishes: EncoderWishes
  /// Pictures for which the queue had no room, since the last one that found some.
  private let dropped = Locked(0)
  private let sourceThread = ThreadSlot()
  private let encoderThread = ThreadSlot()

  init(
    source: any VideoSource, settings: Settings, wishes: EncoderWishes, surroundings: LaneSurroundings
  ) throws {
    self.wishes = wishes
    self.source = source
    self.settings = settings
    self.surroundings = surroundings
    stopSignal = try StopSignal()
  }

  func start() throws {
    try encoderThread.start(name: "video-encoder") { [self] in encode() }
    try sourceThread.start(name: "video-source") { [self] in capture() }
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
    var isOpen = false
    do {
      guard surroundings.isReady(source.isDevice, until: stopSignal) else { return queue.close() }
      try source.run(until: stopSignal) { captured in
        if !isOpen { surroundings.report(.opened(.video, summary: source.summary)) }
        isOpen = true
        let lost = captured.lostBefore + 1
        let before = dropped.withLock { $0 }
        let isTaken = queue.offer(QueuedFrame(captured: captured, droppedBefore: before))
        dropped.withLock { $0 = isTaken ? 0 : before + lost }
      }
    } catch {
      surroundings.report(.sourceFailed(error))
    }
    surroundings.timeLine.withdraw(.video)
    queue.close()
  }

  private func encode() {
    var hasReachedEnd = false
    do {
      let format = encodedFormat
      var encoder = try openEncoder(format)
      var converter = FrameConverter(size: format.size, format: encoder.pixelFormat)
      var limit = RateLimit(source: source.format.frameRate, wanted: settings.limit.frameRate)
      var sender = TrackSender(surroundings)
      sender.announce(encoder.track)
      var losses = PictureLosses(frameDuration: source.format.frameRate.frameDuration)
      var last: MediaTime?
      var isRunning = false
      while let queued = queue.take() {
        losses.add(queued.droppedBefore, .encoderTooSlow)
        let captured = queued.takeCaptured()
        losses.add(captured.lostBefore, .source)
        let captureTime = captured.captureTime
        guard let time = surroundings.timeLine.place(picture: captureTime) else {
          losses.forget()
          if isRunning { surroundings.report(.held(.video)) }
          isRunning = false
          continue
        }
        hasReachedEnd = surroundings.end.map { time >= $0 } ?? false
        if hasReachedEnd { break }
        guard limit.allows(captureTime) else { continue }
        // Drivers repeat times and step back; a file can't.
        guard last.map({ time.isTellablyLater(than: $0) }) ?? true else {
          losses.add(1, .source)
          continue
        }
        tell(&losses, before: time, isFirst: !isRunning)
        isRunning = true
        last = time
        let isKeyframeForced = fulfilWishes(of: &encoder)
        let picture = try converter.convert(captured.takeFrame())
        sender.send(
          try encoder.encode(picture, at: time, isKeyframeForced: isKeyframeForced), of: encoder.track)
      }
      sender.send(try encoder.finish(), of: encoder.track)
      if !hasReachedEnd { losses.add(dropped.withLock { $0 }, .encoderTooSlow) }
      tell(&losses, before: last ?? .zero, isFirst: last == nil)
    } catch {
      surroundings.report(.encodingFailed(.video, "\(error)"))
    }
    stopSignal.signal()
    queue.close()
    surroundings.report(.finished(.video, hasReachedEnd: hasReachedEnd))
  }

  private func tell(_ losses: inout PictureLosses, before time: MediaTime, isFirst: Bool) {
    if isFirst { losses.forget() }
    for loss in losses.take(before: time) { surroundings.tell(loss) }
  }

  /// True when the next picture is to be a keyframe.
  private func fulfilWishes(of encoder: inout VideoEncoder) -> Bool {
    let wishes = wishes.take()
    if let change = wishes.bitrate, encoder.setBitrate(change.bitsPerSecond) {
      surroundings.report(.bitrateChanged(change))
    }
    return wishes.keyframe
  }

  /// What the source gives, but not larger and not faster than is wanted.
  private var encodedFormat: VideoFormat {
    let isFaster = RateLimit.applies(source: source.format.frameRate, wanted: settings.limit.frameRate)
    return VideoFormat(
      size: source.format.size.fitted(into: settings.limit.size),
      frameRate: isFaster ? settings.limit.frameRate : source.format.frameRate)
  }

  /// The first of the wanted encoders that opens; says which, where there was a choice.
  private func openEncoder(_ format: VideoFormat) throws -> VideoEncoder {
    var failures: [String] = []
    for implementation in settings.encoders {
      do {
        let encoder = try VideoEncoder(
          implementation,
          VideoEncoder.Settings(
            codec: settings.codec, format: format, bitrate: settings.bitrate,
            keyframeInterval: settings.keyframeInterval),
          source: source.pixelFormat)
        let passed = failures.isEmpty ? "" : " (\(failures.joined(separator: "; ")))"
        surroundings.report(
          .note("video: \(settings.codec.name) by \(encoderTitle(implementation)), \(format)\(passed)"))
        return encoder
      } catch {
        failures.append("\(encoderTitle(implementation)) does not work here: \(error)")
      }
    }
    throw EncodingError(what: failures.joined(separator: "; "))
  }

  private func encoderTitle(_ implementation: EncoderImplementation) -> String {
    implementation.title(for: settings.codec)
  }
}
