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

    var arrival: PictureMachine.Arrival {
      PictureMachine.Arrival(
        captureTime: captured.captureTime, provenance: provenance, lostBefore: captured.lostBefore,
        droppedBefore: droppedBefore)
    }

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
  private let destination: LaneDestination
  private let queue = BoundedQueue<QueuedFrame>(capacity: 8)
  private let requests: EncoderRequests
  private let intake = Locked(Intake())
  private let thread = ThreadSlot()

  init(
    feed: PictureFeed, shape: VideoShape, settings: Settings, requests: EncoderRequests,
    destination: LaneDestination
  ) {
    self.requests = requests
    self.feed = feed
    attachment = feed.nextAttachment()
    self.shape = shape
    self.settings = settings
    self.destination = destination
  }

  func start() throws {
    try thread.start(name: "video-encoder") { [self] in encode() }
    try feed.attach(
      destination.receiver(
        of: .video, take: { [self] in take($0, $1) }, end: { [self] in stop() }), as: attachment)
  }

  func stop() {
    intake.withLock { $0.isOver = true }
    feed.detach(attachment)
    destination.timeLine.withdraw(.video)
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
      var sender = TrackSender(destination)
      sender.announce(encoder.track)
      var pictures = PictureMachine(
        source: shape.format.frameRate, encoded: format.frameRate, end: destination.end)
      while !pictures.hasReachedEnd, let queued = queue.take() {
        defer { intake.withLock { $0.waiting -= 1 } }
        let arrival = queued.arrival
        guard pictures.admits(arrival) else { continue }
        let actions = pictures.handle(
          arrival, at: place(arrival.captureTime), sourceRate: feed.shape?.format.frameRate)
        guard let time = carryOut(actions) else { continue }
        let isKeyframeForced = fulfilRequests(of: &encoder)
        let picture = try converter.convert(queued.takeCaptured().takeFrame())
        sender.send(
          try encoder.encode(picture, at: time, isKeyframeForced: isKeyframeForced),
          of: encoder.track)
      }
      hasReachedEnd = pictures.hasReachedEnd
      sender.send(try encoder.finish(), of: encoder.track)
      _ = carryOut(pictures.finish(dropped: intake.withLock { $0.dropped }))
    } catch {
      destination.report(.encodingFailed(.video, "\(error)"))
    }
    stop()
    destination.reportEnd(of: .video, hasReachedEnd: hasReachedEnd)
  }

  private func place(_ captureTime: MonotonicTime) -> PictureMachine.Place {
    let timeLine = destination.timeLine
    return timeLine.place(picture: captureTime).map { .at($0) }
      ?? .outside(standstill: timeLine.standstill)
  }

  /// Where the picture is to be encoded; nil where it is left out.
  private func carryOut(_ actions: [PictureMachine.Action]) -> MediaTime? {
    for action in actions {
      switch action {
      case .lose(let loss): destination.tell(loss)
      case .reportBegan: destination.reportBeginning()
      case .reportHeld: destination.report(.held(.video))
      case .encode(let time): return time
      }
    }
    return nil
  }

  /// True when the next picture is to be a keyframe.
  private func fulfilRequests(of encoder: inout VideoEncoder) -> Bool {
    let requested = requests.take()
    guard let change = requested.bitrate else { return requested.keyframe }
    if encoder.setBitrate(change.bitsPerSecond) {
      destination.report(.bitrateChanged(change))
    } else if change.isConfigured {
      destination.report(
        .note(
          "video: this encoder keeps its bitrate while it runs; the new one takes effect with the next broadcast"
        ))
    }
    return requested.keyframe
  }

  /// What the source gives, but not larger and not faster than is wanted.
  private var encodedFormat: VideoFormat {
    let isFaster = RateLimit.applies(
      source: shape.format.frameRate, wanted: settings.limit.frameRate)
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
        destination.report(
          .note(
            "video: \(settings.codec.name) by \(encoderTitle(implementation)), \(format)\(passed)"))
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
