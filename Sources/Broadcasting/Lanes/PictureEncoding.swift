import HoldfastCapture
import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastPlatform

/// Encodes pictures; late pictures are still encoded.
struct PictureEncoding: Sendable {
  struct Settings: Sendable {
    var codec: Codec
    var encoders: [EncoderImplementation]
    var limit: VideoFormat
    var bitrate: Int
    var keyframeInterval: MediaTime
  }

  let properties: VideoProperties
  let settings: Settings
  let requests: EncoderRequests
  let destination: LaneDestination

  /// Returns true if the broadcast's duration was reached.
  func run(_ lane: FeedLane<CapturedFrame, VideoProperties>) throws -> Bool {
    let format = encodedFormat
    var encoder = LaneEncoder(
      try openEncoder(format), settings.codec, bitrate: settings.bitrate, destination: destination)
    var converter = FrameConverter(size: format.size, format: encoder.pixelFormat)
    var isAnnounced = false
    send([], of: encoder.track, &isAnnounced)
    var pictures = PictureMachine(
      source: properties.format.frameRate, encoded: format.frameRate, end: destination.end)
    while !pictures.hasReachedEnd, let queued = lane.next() {
      defer { lane.finishOne() }
      let arrival = queued.arrival
      guard pictures.admits(arrival) else { continue }
      let actions = pictures.handle(
        arrival, at: place(arrival.captureTime), sourceRate: lane.feed.properties?.format.frameRate)
      destination.show(pictures.stretches.lasting, pictures.outage)
      guard let time = perform(actions) else { continue }
      let requested = requests.take()
      if let change = requested.bitrate { encoder.setBitrate(change) }
      let earlier = try encoder.adapt(waiting: lane.waiting - 1, dropped: arrival.droppedBefore, at: .now)
      send(earlier, of: encoder.track, &isAnnounced)
      let picture = try converter.convert(queued.take().takeFrame())
      let packets = try encoder.encode(picture, at: time, isKeyframeForced: requested.keyframe)
      send(packets, of: encoder.track, &isAnnounced)
    }
    send(try encoder.finish(), of: encoder.track, &isAnnounced)
    _ = perform(pictures.finish(dropped: lane.dropped))
    return pictures.hasReachedEnd
  }

  /// Some encoders can describe the track only with their first picture.
  private func send(_ packets: [MediaPacket], of track: Track?, _ isAnnounced: inout Bool) {
    if !isAnnounced, let track {
      destination.announce(track)
      isAnnounced = true
    }
    destination.send(packets)
  }

  private func place(_ captureTime: MonotonicTime) -> PictureMachine.Placement {
    let timeline = destination.timeline
    return timeline.place(picture: captureTime).map { .at($0) }
      ?? .outside(stoppedAt: timeline.stoppedAt)
  }

  /// The media time to encode the picture at; nil if it is skipped.
  private func perform(_ actions: [PictureMachine.Action]) -> MediaTime? {
    for action in actions {
      switch action {
      case .reportLoss(let loss): destination.report(lost: loss)
      case .reportStarted: destination.reportStart()
      case .reportStopped: destination.report(.stopped(.video))
      case .encode(let time): return time
      }
    }
    return nil
  }

  /// The format of the source, within the configured limits.
  private var encodedFormat: VideoFormat {
    let isFaster = RateLimit.applies(source: properties.format.frameRate, target: settings.limit.frameRate)
    return VideoFormat(
      size: properties.format.size.fitted(into: settings.limit.size),
      frameRate: isFaster ? settings.limit.frameRate : properties.format.frameRate)
  }

  /// Opens the first encoder that works, and reports which.
  private func openEncoder(_ format: VideoFormat) throws -> VideoEncoder {
    var failures: [String] = []
    for implementation in settings.encoders {
      do {
        let encoder = try VideoEncoder(
          implementation,
          VideoEncoder.Settings(
            codec: settings.codec, format: format, bitrate: settings.bitrate,
            keyframeInterval: settings.keyframeInterval), source: properties.pixelFormat)
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

extension Queued<CapturedFrame> {
  fileprivate var arrival: PictureMachine.Arrival {
    PictureMachine.Arrival(
      captureTime: item.captureTime, source: source, lostBefore: item.lostBefore,
      droppedBefore: droppedBefore)
  }
}

private struct EncodingError: Error, CustomStringConvertible {
  let what: String
  var description: String { what }
}
