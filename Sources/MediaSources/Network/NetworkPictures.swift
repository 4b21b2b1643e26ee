import HoldfastFFmpeg
package import HoldfastMediaModel
package import HoldfastPlatform

/// The pictures of a network source, decoded.
package final class NetworkPictures: VideoSource {
  package let format: VideoFormat
  package let pixelFormat = PixelFormat.yuv420p
  package let summary: String
  private let connection: NetworkConnection
  private let track: NetworkTrack

  /// Waits for the source until `stop` signals; without it, some seconds.
  package init(_ stream: NetworkStream, _ stop: Wakeup?) throws(CaptureError) {
    (connection, track) = try stream.awaitMedia(.video, stop)
    guard case .video(let format) = track.format, format.size.width > 0, format.size.height > 0 else {
      throw SourceFailure.unusable("its size is unknown").error(.video, stream.settings.address)
    }
    self.format = format
    summary = "\(stream.settings.address.redacted): \(track.codecName), \(format)"
  }

  package func run(until stop: Wakeup, deliver: (consuming CapturedFrame) -> Void) throws(CaptureError) {
    var taking = NetworkTaking(connection, track)
    var holes = SourceHoles()
    var backlog = SourceBacklog(latency: connection.latency)
    var last: MonotonicTime?
    try taking.run(stop) { (decoder, packet, connection) throws(FFmpegError) in
      let (arrival, dropped) = (packet.time, packet.droppedBefore)
      try decoder.decode(packet.packet) { frame, stamp in
        let captured = connection.time(of: stamp, arrival)
        guard !backlog.includes(captured, at: .now) else { return }
        // After a jump, what comes may lie before what has been shown.
        if let last, captured + SoundSeams.maxJitter < last { return }
        last = captured
        // Arrivals come in bunches, which say nothing about what is missing.
        let missing = stamp == nil ? 0 : holes.before(captured)
        deliver(CapturedFrame(frame, captureTime: captured, lostBefore: max(dropped, missing)))
      }
    }
  }
}

/// What a server keeps for its new viewers, from the last keyframe on: decoded, but too old to be shown.
struct SourceBacklog {
  let latency: MediaTime
  private var isOver = false
  private var since: MonotonicTime?

  private static let tolerance = MediaTime.milliseconds(100)
  /// A source that stays late is shown nevertheless.
  private static let maxLength = MediaTime.seconds(1)

  init(latency: MediaTime) { self.latency = latency }

  mutating func includes(_ captured: MonotonicTime, at now: MonotonicTime) -> Bool {
    let since = since ?? now
    self.since = since
    isOver = isOver || captured + latency + Self.tolerance > now || now - since > Self.maxLength
    return !isOver
  }
}
