import HoldfastFFmpeg
package import HoldfastMediaModel
package import HoldfastPlatform

/// The packets of a network source, not re-encoded. Its drift goes into their times.
package final class NetworkPackets: PacketSource {
  package let track: Track
  package let summary: String
  private let copied: CopiedTrack
  private let connection: NetworkConnection
  private let source: NetworkTrack

  /// Waits for the source until `stop` signals; without it, some seconds.
  package init(_ stream: NetworkStream, _ kind: TrackKind, _ stop: Wakeup?) throws(CaptureError) {
    (connection, source) = try stream.awaitMedia(kind, stop)
    do {
      copied = try source.copied()
    } catch {
      throw SourceFailure.unusable("\(error)").error(kind, stream.settings.address)
    }
    track = copied.track
    summary = "\(stream.settings.address.redacted): \(source.codecName), not re-encoded"
  }

  package func run(
    until stop: Wakeup, deliver: (MediaPacket, _ lostBefore: Int) -> Void
  ) throws(CaptureError) {
    var taking = NetworkTaking(connection, source)
    var holes = SourceHoles()
    while let arrival = try taking.next(stop) {
      let packet = arrival.packet
      let decoded = connection.time(of: packet.stamp, arrival.time)
      let reordering =
        packet.presentationStamp.flatMap { shown in packet.decodeStamp.map { shown - $0 } } ?? .zero
      let isPlausible = (.zero...NetworkConnection.maxReordering).contains(reordering)
      let time = decoded - MonotonicTime(nanoseconds: 0)
      let missing = track.kind == .video && packet.stamp != nil ? holes.before(decoded) : 0
      let lost = max(arrival.droppedBefore, missing)
      deliver(
        MediaPacket(
          track: track.kind, decodeTime: time, presentationTime: time + (isPlausible ? reordering : .zero),
          duration: (MediaTime(nanoseconds: 1)...Self.maxDuration).contains(packet.duration)
            ? packet.duration : usualDuration,
          isKeyframe: track.kind == .audio || packet.isKeyframe, bytes: packet.bytes(copied)), lost)
    }
  }

  private static let maxDuration = MediaTime.seconds(10)

  private var usualDuration: MediaTime {
    switch track.format {
    case .video(let format): format.frameRate.frameDuration
    case .audio(let format): format.duration(ofFrames: track.codec.framesPerPacket)
    }
  }
}
