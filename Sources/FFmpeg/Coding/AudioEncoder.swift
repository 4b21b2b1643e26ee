import HoldfastCFFmpeg
package import HoldfastMediaModel

/// Encodes sound to AAC-LC or Opus.
///
/// Drops priming packets (before time 0), so no edit list is needed; the first Opus packet is at 13.5 ms.
/// What a flush adds is left out: the sound after it follows at once, and a decoder blends its first packet in.
package struct AudioEncoder: ~Copyable {
  package let track: Track
  package let format: AudioFormat
  private let encoder: EncoderContext
  private let frame: Frame
  private let isPlanar: Bool
  /// Samples that do not yet fill a packet.
  private var pending: [Float] = []
  private var framesSent: Int64 = 0
  /// The frames of silence that the last flush added.
  private var silence: Range<Int64> = 0..<0
  private var framesLeftOut: Int64 = 0
  /// The end of the last packet.
  private var packetsEnd: Int64 = 0

  package init(_ codec: Codec, format: AudioFormat, bitrate: Int) throws(FFmpegError) {
    let encoder = try EncoderContext(named: EncoderImplementation.software.name(for: codec))
    let isPlanar = codec == .aac
    encoder.raw.pointee.sample_fmt = isPlanar ? AV_SAMPLE_FMT_FLTP : AV_SAMPLE_FMT_FLT
    encoder.raw.pointee.sample_rate = Int32(format.sampleRate)
    encoder.raw.pointee.time_base = AVRational(num: 1, den: Int32(format.sampleRate))
    encoder.raw.pointee.bit_rate = Int64(bitrate)
    encoder.raw.pointee.flags |= cff_AV_CODEC_FLAG_GLOBAL_HEADER
    av_channel_layout_default(&encoder.raw.pointee.ch_layout, Int32(format.channels))
    try encoder.context.open()
    let frame = try Frame()
    frame.raw.pointee.format = encoder.raw.pointee.sample_fmt.rawValue
    frame.raw.pointee.sample_rate = Int32(format.sampleRate)
    frame.raw.pointee.nb_samples = encoder.raw.pointee.frame_size
    try check(
      av_channel_layout_copy(&frame.raw.pointee.ch_layout, &encoder.raw.pointee.ch_layout), "channel layout")
    try check(av_frame_get_buffer(frame.raw, 0), "av_frame_get_buffer")
    track = Track(codec: codec, format: .audio(format), headers: encoder.headers, bitrate: bitrate)
    self.format = format
    self.isPlanar = isPlanar
    self.encoder = encoder
    self.frame = frame
  }

  package mutating func encode(_ samples: [Float]) throws(FFmpegError) -> [MediaPacket] {
    pending += samples
    let frameSize = Int(encoder.raw.pointee.frame_size) * format.channels
    var result: [MediaPacket] = []
    var start = 0
    while pending.count - start >= frameSize {
      result += try send(pending[start..<start + frameSize])
      start += frameSize
    }
    pending.removeFirst(start)
    return result
  }

  /// Returns the packets of all whole frames so far; AAC's last two would wait for the sound after them.
  package mutating func flush() throws(FFmpegError) -> [MediaPacket] {
    let frameSize = Int(encoder.raw.pointee.frame_size)
    guard encoder.raw.pointee.initial_padding >= frameSize, framesSent > silence.upperBound else { return [] }
    let end = framesSent
    var result: [MediaPacket] = []
    while packetsEnd < end {
      result += try send([Float](repeating: 0, count: frameSize * format.channels)[...])
    }
    silence = end..<framesSent
    return result
  }

  /// Returns the remaining packets; nothing can be encoded afterwards.
  package mutating func finish() throws(FFmpegError) -> [MediaPacket] {
    var result = pending.isEmpty ? [] : try send(pending[...])
    pending = []
    result += try packets(for: nil)
    return result
  }

  private mutating func send(_ samples: ArraySlice<Float>) throws(FFmpegError) -> [MediaPacket] {
    let count = samples.count / format.channels
    try check(av_frame_make_writable(frame.raw), "av_frame_make_writable")
    frame.raw.pointee.nb_samples = Int32(count)
    frame.raw.pointee.pts = framesSent
    fill(samples, count: count)
    framesSent += Int64(count)
    return try packets(for: frame.raw)
  }

  private func fill(_ samples: ArraySlice<Float>, count: Int) {
    samples.withUnsafeBufferPointer { source in
      for channel in 0..<(isPlanar ? format.channels : 1) {
        guard let plane = frame.raw.pointee.extended_data[channel] else { continue }
        let target = UnsafeMutableRawPointer(plane).assumingMemoryBound(to: Float.self)
        if isPlanar {
          for index in 0..<count { target[index] = source[index * format.channels + channel] }
        } else {
          for index in 0..<source.count { target[index] = source[index] }
        }
      }
    }
  }

  private mutating func packets(for frame: UnsafeMutablePointer<AVFrame>?) throws(FFmpegError)
    -> [MediaPacket]
  {
    var result: [MediaPacket] = []
    let rate = format.sampleRate
    try encoder.encode(frame) { packet in
      guard packet.pointee.pts >= 0 else { return }
      packetsEnd = packet.pointee.pts + packet.pointee.duration
      guard !silence.contains(packet.pointee.pts) else { return framesLeftOut += packet.pointee.duration }
      let time = MediaTime(ticks: packet.pointee.pts - framesLeftOut, timescale: rate)
      result.append(
        MediaPacket(
          track: .audio, decodeTime: time, presentationTime: time,
          duration: MediaTime(ticks: packet.pointee.duration, timescale: rate), isKeyframe: true,
          bytes: Array(packet.bytes)))
    }
    return result
  }
}
