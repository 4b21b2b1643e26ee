import HoldfastFFmpeg
package import HoldfastMediaModel
package import HoldfastPlatform

/// The packets of a network source, not re-encoded. Its drift goes into their times.
package final class NetworkPackets: PacketSource {
  package let track: Track
  package let summary: String
  private let first: CopiedTrack
  private let connection: NetworkConnection
  private let source: NetworkTrack

  /// Waits for the source until `stop` signals; without it, some seconds.
  package init(_ stream: NetworkStream, _ kind: TrackKind, _ stop: Wakeup?) throws(CaptureError) {
    (connection, source) = try stream.awaitMedia(kind, stop)
    first = try mapError(source.copied()) { (error: FFmpegError) in
      SourceFailure.unusable("\(error)").error(kind, stream.settings.address)
    }
    track = first.track
    summary = "\(stream.settings.address.redacted): \(source.codecName), not re-encoded"
  }

  package func run(until stop: Wakeup, deliver: (SourcePacket) -> Void) throws(CaptureError) {
    var taking = NetworkTaking(connection, source, Self.rhythm)
    var holes = SourceHoles()
    var copied = first
    while let arrival = try taking.next(stop) {
      let packet = arrival.packet
      copied = try mapError(copied.beginning(with: packet), taking.unusable) ?? copied
      let decoded = connection.time(of: packet.stamp, arrival.time)
      let time = decoded - MonotonicTime(nanoseconds: 0)
      let missing = track.kind == .video && packet.stamp != nil ? holes.before(decoded) : 0
      let lost = max(arrival.droppedBefore, missing)
      // libavformat goes on counting in the first format.
      let isCounted = copied.track.format == first.track.format
      deliver(
        SourcePacket(
          packet.media(of: copied, at: time, isCounted: isCounted), copied.track, lostBefore: lost))
    }
  }

  /// Nobody sees when a packet is passed on, but each time costs all threads on its way a wake: both tracks take the same
  /// steps.
  private static let rhythm = DeliveryRhythm.steps(.milliseconds(50))
}

extension NetworkPacket {
  private static let maxDuration = MediaTime.seconds(10)

  /// As a packet of `track`, to be decoded at `time`; `isCounted` if the sender's duration can be believed.
  func media(of track: CopiedTrack, at time: MediaTime, isCounted: Bool) -> MediaPacket {
    let reordering = presentationStamp.flatMap { shown in decodeStamp.map { shown - $0 } } ?? .zero
    let isPlausible = (.zero...NetworkConnection.maxReordering).contains(reordering)
    let isUsual = !isCounted || !(MediaTime(nanoseconds: 1)...Self.maxDuration).contains(duration)
    return MediaPacket(
      track: self.track.kind, decodeTime: time, presentationTime: time + (isPlausible ? reordering : .zero),
      duration: isUsual ? track.track.usualDuration : duration,
      isKeyframe: self.track.kind == .audio || isKeyframe, bytes: bytes(track))
  }
}

extension Track {
  fileprivate var usualDuration: MediaTime {
    switch format {
    case .video(let format): format.frameRate.frameDuration
    case .audio(let format): format.duration(ofFrames: codec.framesPerPacket)
    }
  }
}
