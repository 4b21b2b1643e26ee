internal import HoldfastCapture
internal import HoldfastFFmpeg
internal import HoldfastMediaModel
internal import HoldfastPlatform

/// Pictures: a queue of some 270 ms, a thread that encodes.
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
    let provenance: Provenance
    /// Pictures for which the queue had no room, right before this one.
    let droppedBefore: Int

    consuming func takeCaptured() -> CapturedFrame { captured }
  }

  private struct Intake: Sendable {
    /// Pictures that found no room in the queue since the last one that did.
    var dropped = 0
    var isOver = false
    /// Pictures that are in the queue, or being encoded.
    var waiting = 0
  }

  private let feed: PictureFeed
  private let attachment: Int
  private let shape: VideoShape
  private let settings: Settings
  private let surroundings: LaneSurroundings
  private let queue = BoundedQueue<QueuedFrame>(capacity: 8)
  private let wishes: EncoderWishes
  private let intake = Locked(Intake())
  private let thread = ThreadSlot()

  init(
    feed: PictureFeed, shape: VideoShape, settings: Settings, wishes: EncoderWishes,
    surroundings: LaneSurroundings
  ) {
    self.wishes = wishes
    self.feed = feed
    attachment = feed.nextAttachment()
    self.shape = shape
    self.settings = settings
    self.surroundings = surroundings
  }

  func start() throws {
    try thread.start(name: "video-encoder") { [self] in encode() }
    try feed.attach(
      surroundings.receiver(
        of: .video, take: { [self] in take($0, $1) }, end: { [self] in stop() }), as: attachment)
  }

  func stop() {
    intake.withLock { $0.isOver = true }
    feed.detach(attachment)
    surroundings.timeLine.withdraw(.video)
    queue.close()
  }

  func join() {
    feed.settle(attachment)
    thread.join()
  }

  private func take(_ captured: consuming CapturedFrame, _ provenance: Provenance) {
    let lost = captured.lostBefore + 1
    let before = intake.withLock { $0.dropped }
    let isTaken = queue.offer(
      QueuedFrame(captured: captured, provenance: provenance, droppedBefore: before))
    intake.withLock { intake in
      if isTaken { intake.waiting += 1 }
      if !intake.isOver { intake.dropped = isTaken ? 0 : before + lost }
    }
  }

  var isBehind: Bool { intake.withLock { $0.waiting > 0 } }

  private func encode() {
    var hasReachedEnd = false
    do {
      let format = encodedFormat
      var encoder = try openEncoder(format)
      var converter = FrameConverter(size: format.size, format: encoder.pixelFormat)
      var limit = RateLimit(source: shape.format.frameRate, wanted: settings.limit.frameRate)
      var sender = TrackSender(surroundings)
      sender.announce(encoder.track)
      var losses = PictureLosses(frameDuration: shape.format.frameRate.frameDuration)
      var absence = Absence(.video, frameDuration: format.frameRate.frameDuration)
      let halfPicture = MediaTime(nanoseconds: format.frameRate.frameDuration.nanoseconds / 2)
      var last: MediaTime?
      var isRunning = false
      var source: Int?
      var isOther = false
      while let queued = queue.take() {
        defer { intake.withLock { $0.waiting -= 1 } }
        losses.add(queued.droppedBefore, .encoderTooSlow)
        let provenance = queued.provenance
        // What an old source gives when another one has taken its place.
        if let source, provenance.source < source { continue }
        if let source, provenance.source > source, let rate = feed.shape?.format.frameRate {
          limit = RateLimit(source: rate, wanted: format.frameRate)
          tell(&losses, before: last ?? .zero, isFirst: !isRunning)
          losses = PictureLosses(frameDuration: rate.frameDuration)
          isOther = true
        }
        source = provenance.source
        let isStandIn = provenance.isStandIn
        let captured = queued.takeCaptured()
        if !isOther { losses.add(captured.lostBefore, .source) }
        let captureTime = captured.captureTime
        guard let time = surroundings.timeLine.place(picture: captureTime) else {
          losses.forget()
          // A camera that fell silent was noticed only when it was interrupted.
          if isRunning, isStandIn, !absence.lasts, let end = absence.end(of: last) {
            absence.begin(at: end)
            tell(absence.end(at: surroundings.timeLine.standstill))
          }
          tell(absence.end(after: last))
          if isRunning { surroundings.report(.held(.video)) }
          isRunning = false
          continue
        }
        hasReachedEnd = surroundings.end.map { time >= $0 } ?? false
        if hasReachedEnd { break }
        guard limit.allows(captureTime) else { continue }
        // Drivers repeat times and step back; a file can't.
        guard last.map({ time.isTellablyLater(than: $0) }) ?? true else {
          if !absence.lasts, !isOther { losses.add(1, .source) }
          continue
        }
        // Two pictures at nearly the same time would be one too many, and the same time to a server that counts
        // milliseconds.
        if isOther, isRunning, let last, time - last < halfPicture { continue }
        if isOther, isRunning, !absence.lasts, let last {
          losses.add(Self.missing(from: last, to: time, format.frameRate), .source)
        }
        isOther = false
        if isStandIn {
          absence.begin(at: isRunning ? absence.end(of: last) ?? time : time)
        } else {
          tell(absence.end(at: time))
        }
        tell(&losses, before: time, isFirst: !isRunning)
        if !isRunning { surroundings.report(.began(.video)) }
        isRunning = true
        last = time
        let isKeyframeForced = fulfilWishes(of: &encoder)
        let picture = try converter.convert(captured.takeFrame())
        sender.send(
          try encoder.encode(picture, at: time, isKeyframeForced: isKeyframeForced), of: encoder.track)
      }
      sender.send(try encoder.finish(), of: encoder.track)
      if !hasReachedEnd { losses.add(intake.withLock { $0.dropped }, .encoderTooSlow) }
      tell(&losses, before: last ?? .zero, isFirst: last == nil)
      tell(absence.end(after: last))
    } catch {
      surroundings.report(.encodingFailed(.video, "\(error)"))
    }
    stop()
    surroundings.report(.finished(.video, hasReachedEnd: hasReachedEnd))
  }

  /// Pictures for which there was time between the last one of a source and the first one of another, beyond one.
  private static func missing(from last: MediaTime, to time: MediaTime, _ rate: FrameRate) -> Int {
    let pictures = (time - last).seconds * rate.framesPerSecond
    return max(0, Int(pictures.rounded()) - 2)
  }

  private func tell(_ loss: TrackLoss?) {
    if let loss { surroundings.tell(loss) }
  }

  private func tell(_ losses: inout PictureLosses, before time: MediaTime, isFirst: Bool) {
    if isFirst { losses.forget() }
    for loss in losses.take(before: time) { surroundings.tell(loss) }
  }

  /// True when the next picture is to be a keyframe.
  private func fulfilWishes(of encoder: inout VideoEncoder) -> Bool {
    let wishes = wishes.take()
    guard let change = wishes.bitrate else { return wishes.keyframe }
    if encoder.setBitrate(change.bitsPerSecond) {
      surroundings.report(.bitrateChanged(change))
    } else if change.isConfigured {
      surroundings.report(
        .note(
          "video: this encoder keeps its bitrate while it runs; the new one takes effect with the next broadcast"
        ))
    }
    return wishes.keyframe
  }

  /// What the source gives, but not larger and not faster than is wanted.
  private var encodedFormat: VideoFormat {
    let isFaster = RateLimit.applies(source: shape.format.frameRate, wanted: settings.limit.frameRate)
    return VideoFormat(
      size: shape.format.size.fitted(into: settings.limit.size),
      frameRate: isFaster ? settings.limit.frameRate : shape.format.frameRate)
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
          source: shape.pixelFormat)
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
