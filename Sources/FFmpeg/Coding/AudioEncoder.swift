internal import HoldfastCFFmpeg
package import HoldfastMediaModel

/// Turns sound into packets of AAC-LC or Opus.
///
/// An encoder begins with what it needs to warm up, and its first packets lie before the first sample. Those are left
/// out: the time line starts at 0 with no edit list, and every packet says the time of what it holds. Opus packets do
/// not fall on 0: the first one that lies wholly behind it is at 13.5 ms.
package struct AudioEncoder: ~Copyable {
  package let track: Track
  package let format: AudioFormat
  private let context: EncoderContext
  private let frame: Frame
  private let isPlanar: Bool
  /// Samples that do not fill a packet yet.
  private var pending: [Float] = []
  private var framesSent: Int64 = 0

  package init(_ codec: Codec, format: AudioFormat, bitrate: Int) throws(FFmpegError) {
    let context = try EncoderContext(named: EncoderImplementation.software.name(for: codec))
    let isPlanar = codec == .aac
    context.raw.pointee.sample_fmt = isPlanar ? AV_SAMPLE_FMT_FLTP : AV_SAMPLE_FMT_FLT
    context.raw.pointee.sample_rate = Int32(format.sampleRate)
    context.raw.pointee.time_base = AVRational(num: 1, den: Int32(format.sampleRate))
    context.raw.pointee.bit_rate = Int64(bitrate)
    context.raw.pointee.flags |= cff_AV_CODEC_FLAG_GLOBAL_HEADER
    av_channel_layout_default(&context.raw.pointee.ch_layout, Int32(format.channels))
    try context.open([])
    let frame = try Frame()
    frame.raw.pointee.format = context.raw.pointee.sample_fmt.rawValue
    frame.raw.pointee.sample_rate = Int32(format.sampleRate)
    frame.raw.pointee.nb_samples = context.raw.pointee.frame_size
    try check(
      av_channel_layout_copy(&frame.raw.pointee.ch_layout, &context.raw.pointee.ch_layout), "channel layout")
    try check(av_frame_get_buffer(frame.raw, 0), "av_frame_get_buffer")
    track = Track(codec: codec, format: .audio(format), headers: context.headers, bitrate: bitrate)
    self.format = format
    self.isPlanar = isPlanar
    self.context = context
    self.frame = frame
  }

  /// Takes the samples that follow those of the last call.
  package mutating func encode(_ samples: [Float]) throws(FFmpegError) -> [MediaPacket] {
    pending += samples
    let frameSize = Int(context.raw.pointee.frame_size) * format.channels
    var result: [MediaPacket] = []
    var start = 0
    while pending.count - start >= frameSize {
      result += try send(pending[start..<start + frameSize])
      start += frameSize
    }
    pending.removeFirst(start)
    return result
  }

  /// The packets that are still inside. Nothing can be encoded afterwards.
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

  private func packets(for frame: UnsafeMutablePointer<AVFrame>?) throws(FFmpegError) -> [MediaPacket] {
    var result: [MediaPacket] = []
    let rate = format.sampleRate
    try context.encode(frame) { packet in
      guard packet.pointee.pts >= 0 else { return }
      let time = MediaTime(ticks: packet.pointee.pts, timescale: rate)
      result.append(
        MediaPacket(
          track: .audio, decodeTime: time, presentationTime: time,
          duration: MediaTime(ticks: packet.pointee.duration, timescale: rate), isKeyframe: true,
          bytes: Array(packet.bytes)))
    }
    return result
  }
}
