import HoldfastCFFmpeg
import HoldfastMediaModel

/// Owns libavformat's muxing context.
struct ContainerWriter: ~Copyable {
  let context: UnsafeMutablePointer<AVFormatContext>
  private let packet: Packet
  private var streams: [TrackKind: Int32] = [:]

  init(_ container: String, path: String? = nil) throws(FFmpegError) {
    let packet = try Packet()
    var context: UnsafeMutablePointer<AVFormatContext>?
    try check(avformat_alloc_output_context2(&context, nil, container, path), "container \(container)")
    guard let context else { throw .outOfMemory("avformat_alloc_output_context2") }
    self.context = context
    self.packet = packet
  }

  deinit { avformat_free_context(context) }

  /// Writes the header; `tag` overrides a track's codec tag. With `titles`, one for each track, all tracks
  /// are enabled.
  mutating func begin(
    _ tracks: [Track], titles: [String] = [], options: [(name: String, value: String)],
    tag: (Track) -> UInt32? = { _ in nil }
  ) throws(FFmpegError) {
    context.pointee.avoid_negative_ts = 0
    for (index, track) in tracks.enumerated() {
      guard let stream = avformat_new_stream(context, nil) else { throw .outOfMemory("avformat_new_stream") }
      try stream.describe(track)
      if let tag = tag(track) { stream.pointee.codecpar.pointee.codec_tag = tag }
      if streams[track.kind] == nil { streams[track.kind] = stream.pointee.index }
      guard titles.indices.contains(index) else { continue }
      stream.pointee.disposition |= AV_DISPOSITION_DEFAULT
      // MP4 has no titles of tracks that players show, but names of their handlers.
      for key in ["title", "handler_name"] {
        try check(av_dict_set(&stream.pointee.metadata, key, titles[index], 0), "titles")
      }
    }
    var dictionary = OptionDictionary(options)
    try check(avformat_write_header(context, &dictionary.raw), "avformat_write_header")
  }

  /// Writes `bytes` with the packet's times to track number `track`, or else to the first one of its kind;
  /// ignores packets of other tracks.
  mutating func write(_ media: MediaPacket, as bytes: [UInt8], track: Int? = nil) throws(FFmpegError) {
    guard let index = track.map(Int32.init) ?? streams[media.track],
      index < context.pointee.nb_streams, let stream = context.pointee.streams[Int(index)]
    else { return }
    let (timescale, packet) = (Int(stream.pointee.time_base.den), packet.raw)
    packet.pointee.stream_index = index
    packet.pointee.dts = media.decodeTime.ticks(timescale: timescale)
    packet.pointee.pts = media.presentationTime.ticks(timescale: timescale)
    packet.pointee.duration = media.duration.ticks(timescale: timescale)
    packet.pointee.flags = media.isKeyframe ? cff_AV_PKT_FLAG_KEY : 0
    try write(bytes, count: bytes.count)
  }

  /// Writes an empty packet at the time of the last one.
  mutating func writeEmpty() throws(FFmpegError) { try write([0], count: 0) }

  private func write(_ bytes: [UInt8], count: Int) throws(FFmpegError) {
    let packet = packet.raw
    let status = bytes.withUnsafeBufferPointer { bytes in
      packet.pointee.data = UnsafeMutablePointer(mutating: bytes.baseAddress)
      packet.pointee.size = Int32(clamping: count)
      return av_write_frame(context, packet)
    }
    packet.pointee.data = nil
    packet.pointee.size = 0
    try check(status, "av_write_frame")
  }

  func timescale(of track: TrackKind) -> Int? {
    streams[track].flatMap { context.pointee.streams[Int($0)] }.map { Int($0.pointee.time_base.den) }
  }
}

extension UnsafeMutablePointer<AVStream> {
  func describe(_ track: Track) throws(FFmpegError) {
    guard let parameters = pointee.codecpar else { throw .outOfMemory("codec parameters") }
    parameters.pointee.codec_id = track.codec.avCodecID
    parameters.pointee.bit_rate = Int64(track.bitrate)
    switch track.format {
    case .video(let format):
      parameters.pointee.codec_type = AVMEDIA_TYPE_VIDEO
      parameters.pointee.width = Int32(format.size.width)
      parameters.pointee.height = Int32(format.size.height)
      parameters.pointee.format = AV_PIX_FMT_YUV420P.rawValue
      // `hvc1`: parameter sets only in the headers.
      if track.codec == .hevc, !track.headers.isEmpty { parameters.pointee.codec_tag = 0x3163_7668 }
      pointee.time_base = AVRational(num: 1, den: 90_000)
      pointee.avg_frame_rate = format.frameRate.avRational
    case .audio(let format):
      parameters.pointee.codec_type = AVMEDIA_TYPE_AUDIO
      parameters.pointee.sample_rate = Int32(format.sampleRate)
      parameters.pointee.frame_size = Int32(track.codec.framesPerPacket)
      av_channel_layout_default(&parameters.pointee.ch_layout, Int32(format.channels))
      pointee.time_base = AVRational(num: 1, den: Int32(format.sampleRate))
    }
    try parameters.setHeaders(track.headers)
  }
}

extension UnsafeMutablePointer<AVCodecParameters> {
  /// Copies `headers` with the padding that FFmpeg's parsers require.
  func setHeaders(_ headers: [UInt8]) throws(FFmpegError) {
    guard let memory = av_mallocz(headers.count + Int(cff_AV_INPUT_BUFFER_PADDING_SIZE)) else {
      throw .outOfMemory("codec headers")
    }
    memory.copyMemory(from: headers, byteCount: headers.count)
    pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
    pointee.extradata_size = Int32(headers.count)
  }
}
