import HoldfastFFmpeg
package import HoldfastMediaModel
package import HoldfastPlatform

/// The sound of a network source, decoded.
package final class NetworkSound: AudioSource {
  package let format: AudioFormat
  package let hasOwnClock = true
  package let summary: String
  private let connection: NetworkConnection
  private let track: NetworkTrack

  /// Waits for the source until `stop` signals; without it, some seconds.
  package init(_ stream: NetworkStream, _ stop: Wakeup?) throws(CaptureError) {
    (connection, track) = try stream.awaitMedia(.audio, stop)
    guard case .audio(let format) = track.format, format.sampleRate > 0, format.channels > 0 else {
      throw SourceFailure.unusable("its sample rate is unknown").error(.audio, stream.settings.address)
    }
    self.format = format
    summary = "\(stream.settings.address.redacted): \(track.codecName), \(format)"
  }

  package func run(until stop: Wakeup, deliver: (AudioBlock) -> Void) throws(CaptureError) {
    var taking = NetworkTaking(connection, track)
    var backlog = SourceBacklog(latency: connection.latency)
    var seams = SoundSeams()
    try taking.run(stop) { (decoder, packet, connection) throws(FFmpegError) in
      let arrival = packet.time
      try decoder.decodeSound(packet.packet) { samples, format, stamp in
        let captured = connection.time(of: stamp, arrival)
        guard !backlog.includes(captured, at: .now) else { return }
        let block = AudioBlock(format: format, captureTime: captured, samples: samples)
        deliver(seams.add(block, isStamped: stamp != nil))
      }
    }
  }
}
