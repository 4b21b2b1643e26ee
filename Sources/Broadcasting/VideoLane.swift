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

  /// What others want of the encoder at the next picture.
  private struct Wishes: Sendable {
    var keyframe = false
    var bitrate: Int?
  }

  let kind = TrackKind.video
  private let source: any VideoSource
  private let settings: Settings
  private let surroundings: LaneSurroundings
  private let queue = BoundedQueue<QueuedFrame>(capacity: 8)
  private let stopSignal: StopSignal
  private let wishes = Locked(Wishes())
  private let sourceThread = ThreadSlot()
  private let encoderThread = ThreadSlot()

  init(source: any VideoSource, settings: Settings, surroundings: LaneSurroundings) throws {
    self.source = source
    self.settings = settings
    self.surroundings = surroundings
    stopSignal = try StopSignal()
  }

  /// The next picture is one that a receiver can begin with.
  func requestKeyframe() {
    wishes.withLock { $0.keyframe = true }
  }

  func setBitrate(_ bitrate: Int) {
    wishes.withLock { $0.bitrate = bitrate }
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
    var dropped = 0
    do {
      surroundings.report(.opened(.video, summary: source.summary))
      try source.run(until: stopSignal) { captured in
        let lost = captured.lostBefore + 1
        if queue.offer(QueuedFrame(captured: captured, droppedBefore: dropped)) {
          dropped = 0
        } else {
          dropped += lost
        }
      }
    } catch {
      surroundings.report(.sourceFailed(error))
    }
    surroundings.origin.withdraw(.video)
    queue.close()
  }

  private func encode() {
    do {
      let format = encodedFormat
      var encoder = try openEncoder(format)
      var converter = FrameConverter(size: format.size, format: encoder.pixelFormat)
      var limit = RateLimit(source: source.format.frameRate, wanted: settings.limit.frameRate)
      var sender = TrackSender(surroundings)
      while let queued = queue.take() {
        let dropped = queued.droppedBefore
        let captured = queued.takeCaptured()
        let (captureTime, lost) = (captured.captureTime, captured.lostBefore)
        guard let origin = surroundings.origin.pictureTaken(at: captureTime), captureTime >= origin else {
          continue
        }
        let time = captureTime - origin
        if let end = surroundings.end, time >= end { break }
        guard limit.allows(captureTime) else { continue }
        tellLoss(lost, .source, before: time)
        tellLoss(dropped, .encoderTooSlow, before: time)
        let wishes = takeWishes()
        if let bitrate = wishes.bitrate, !encoder.setBitrate(bitrate) {
          surroundings.report(
            .note("the bitrate of \(encoderTitle(encoder.implementation)) can't change while it runs"))
        }
        let picture = try converter.convert(captured.takeFrame())
        let packets = try encoder.encode(picture, at: time, isKeyframeForced: wishes.keyframe)
        sender.send(packets, of: encoder.track)
      }
      sender.send(try encoder.finish(), of: encoder.track)
    } catch {
      surroundings.report(.encodingFailed(.video, "\(error)"))
    }
    stopSignal.signal()
    queue.close()
    surroundings.report(.finished(.video))
  }

  private func tellLoss(_ pictures: Int, _ cause: Gap.Cause, before time: MediaTime) {
    guard pictures > 0, time > .zero else { return }
    let duration = source.format.frameRate.frameDuration
    let lost = min(MediaTime(nanoseconds: duration.nanoseconds * Int64(pictures)), time)
    surroundings.tell(
      TrackLoss(track: .video, cause: cause, mediaAt: time - lost, duration: lost, pictures: pictures))
  }

  private func takeWishes() -> Wishes {
    wishes.withLock { wishes in
      defer { wishes = Wishes() }
      return wishes
    }
  }

  /// What the source gives, but not larger and not faster than is wanted.
  private var encodedFormat: VideoFormat {
    let isFaster = source.format.frameRate.framesPerSecond > settings.limit.frameRate.framesPerSecond * 1.05
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
