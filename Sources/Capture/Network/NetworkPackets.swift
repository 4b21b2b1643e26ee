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
    do {
      first = try source.copied()
    } catch {
      throw SourceFailure.unusable("\(error)").error(kind, stream.settings.address)
    }
    track = first.track
    summary = "\(stream.settings.address.redacted): \(source.codecName), not re-encoded"
  }

  package func run(
    until stop: Wakeup, deliver: (SourcePacket) -> Void
  ) throws(CaptureError) {
    var taking = NetworkTaking(connection, source, Self.rhythm)
    var holes = SourceHoles()
    var copied = first
    while let arrival = try taking.next(stop) {
      let packet = arrival.packet
      do throws(FFmpegError) {
        if let new = try copied.beginning(with: packet) { copied = new }
      } catch {
        throw taking.unusable(error)
      }
      let decoded = connection.time(of: packet.stamp, arrival.time)
      let reordering =
        packet.presentationStamp.flatMap { shown in packet.decodeStamp.map { shown - $0 } } ?? .zero
      let isPlausible = (.zero...NetworkConnection.maxReordering).contains(reordering)
      let time = decoded - MonotonicTime(nanoseconds: 0)
      let missing = track.kind == .video && packet.stamp != nil ? holes.before(decoded) : 0
      let lost = max(arrival.droppedBefore, missing)
      deliver(
        SourcePacket(
          MediaPacket(
            track: track.kind, decodeTime: time, presentationTime: time + (isPlausible ? reordering : .zero),
            // libavformat goes on counting in the first format.
            duration: copied.track.format == first.track.format
              && (MediaTime(nanoseconds: 1)...Self.maxDuration).contains(packet.duration)
              ? packet.duration : Self.usualDuration(copied.track),
            isKeyframe: track.kind == .audio || packet.isKeyframe, bytes: packet.bytes(copied)),
          copied.track, lostBefore: lost))
    }
  }

  /// Nobody sees when a packet is passed on, but each time costs all threads on its way a wake: both tracks take the same
  /// steps.
  private static let rhythm = DeliveryRhythm.steps(.milliseconds(50))
  private static let maxDuration = MediaTime.seconds(10)

  private static func usualDuration(_ track: Track) -> MediaTime {
    switch track.format {
    case .video(let format): format.frameRate.frameDuration
    case .audio(let format): format.duration(ofFrames: track.codec.framesPerPacket)
    }
  }
}
