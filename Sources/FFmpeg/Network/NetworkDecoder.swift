import HoldfastCFFmpeg
package import HoldfastMediaModel

/// Decodes a network source's picture or sound. Damaged packets are skipped.
package struct NetworkDecoder: ~Copyable, @unchecked Sendable {  // one owner at a time
  private let decoder: Decoder
  private let track: NetworkTrack
  /// The number of packets in a row that could not be decoded.
  private var failures = 0

  private static let maxFailures = 100

  package init(_ track: NetworkTrack) throws(FFmpegError) {
    decoder = try Decoder(track.parameters.pointee.codec_id, parameters: track.parameters) { context in
      context.pointee.max_pixels = Int64(NetworkInput.maxPixels)
      // Slices, as frames decoded in parallel come later.
      context.pointee.thread_count = 2
      context.pointee.thread_type = FF_THREAD_SLICE
      context.pointee.log_level_offset = AV_LOG_TRACE
    }
    self.track = track
  }

  /// Decodes a packet, and passes on each picture with its stamp. Throws once nothing can be decoded any more.
  package mutating func decode(
    _ packet: borrowing NetworkPacket, deliver: (consuming Frame, MediaTime?) -> Void
  ) throws(FFmpegError) {
    do throws(FFmpegError) {
      try decoder.send(packet.packet.raw)
      failures = 0
    } catch {
      failures += 1
      if failures > Self.maxFailures { throw error }
      return
    }
    while true {
      let frame = try Frame()
      guard case .frame? = try? decoder.receive(into: frame) else { return }
      let stamp = track.stamp(frame.raw.pointee.best_effort_timestamp)
      deliver(frame, stamp)
    }
  }

  /// The same for sound, in its format.
  package mutating func decodeSound(
    _ packet: borrowing NetworkPacket, deliver: ([Float], AudioFormat, MediaTime?) -> Void
  ) throws(FFmpegError) {
    var failure: FFmpegError?
    try decode(packet) { frame, stamp in
      let format = AudioFormat(
        sampleRate: Int(frame.raw.pointee.sample_rate), channels: Int(frame.raw.pointee.ch_layout.nb_channels)
      )
      guard format.isUsable else {
        failure = FFmpegError(operation: "sound format", code: cff_AVERROR_EINVAL)
        return
      }
      if let samples = try? SoundReader.interleaved(frame, channels: format.channels) {
        deliver(samples, format, stamp)
      }
    }
    if let failure { throw failure }
  }
}
