internal import CFFmpeg
package import HoldfastMediaModel

/// Puts packets into a container, in memory: `takeBytes` gives what has to be written or sent.
package struct Muxer: ~Copyable {
  private let context: UnsafeMutablePointer<AVFormatContext>
  private let output: MemoryOutput
  private let packet: UnsafeMutablePointer<AVPacket>
  private let streams: [TrackKind: Int32]
  private var isFinished = false

  /// `container` and `options` are FFmpeg's names. A track without headers has them in its packets. A
  /// container of packets needs the largest `packetSize`.
  package init(
    container: String, tracks: [Track], options: [(name: String, value: String)] = [], packetSize: Int = 0
  ) throws(FFmpegError) {
    let output = try MemoryOutput(packetSize: packetSize)
    var context: UnsafeMutablePointer<AVFormatContext>?
    try check(avformat_alloc_output_context2(&context, nil, container, nil), "container \(container)")
    guard let context else { throw .outOfMemory("avformat_alloc_output_context2") }
    guard let packet = av_packet_alloc() else {
      avformat_free_context(context)
      throw .outOfMemory("av_packet_alloc")
    }
    do {
      self.streams = try Self.start(context, output, tracks, options)
    } catch {
      avformat_free_context(context)
      var packet: UnsafeMutablePointer<AVPacket>? = packet
      av_packet_free(&packet)
      throw error
    }
    self.output = output
    self.context = context
    self.packet = packet
  }

  deinit {
    // Some muxers let go of what they hold only then.
    if !isFinished { av_write_trailer(context) }
    avformat_free_context(context)
    var packet: UnsafeMutablePointer<AVPacket>? = packet
    av_packet_free(&packet)
  }

  private static func start(
    _ context: UnsafeMutablePointer<AVFormatContext>, _ output: borrowing MemoryOutput, _ tracks: [Track],
    _ options: [(name: String, value: String)]
  ) throws(FFmpegError) -> [TrackKind: Int32] {
    context.pointee.pb = output.raw
    context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
    context.pointee.avoid_negative_ts = 0
    var streams: [TrackKind: Int32] = [:]
    for track in tracks {
      guard let stream = avformat_new_stream(context, nil) else { throw .outOfMemory("avformat_new_stream") }
      try stream.describe(track)
      streams[track.kind] = stream.pointee.index
    }
    var dictionary: OpaquePointer?
    defer { av_dict_free(&dictionary) }
    for option in options { av_dict_set(&dictionary, option.name, option.value, 0) }
    try check(avformat_write_header(context, &dictionary), "avformat_write_header")
    return streams
  }

  package mutating func write(_ media: MediaPacket) throws(FFmpegError) {
    try write(media, as: media.bytes)
  }

  /// Writes `bytes` for the packet's own, where the container wants another form of them.
  package mutating func write(_ media: MediaPacket, as bytes: [UInt8]) throws(FFmpegError) {
    guard let index = streams[media.track], let stream = context.pointee.streams[Int(index)] else { return }
    let timescale = Int(stream.pointee.time_base.den)
    packet.pointee.stream_index = index
    packet.pointee.dts = media.decodeTime.ticks(timescale: timescale)
    packet.pointee.pts = media.presentationTime.ticks(timescale: timescale)
    packet.pointee.duration = media.duration.ticks(timescale: timescale)
    packet.pointee.flags = media.isKeyframe ? cff_AV_PKT_FLAG_KEY : 0
    try write(bytes, count: bytes.count)
  }

  /// Writes a packet of nothing at the time of the last one, which makes a muxer let go of what it collects.
  mutating func writeNothing() throws(FFmpegError) {
    try write([0], count: 0)
  }

  private func write(_ bytes: [UInt8], count: Int) throws(FFmpegError) {
    let status = bytes.withUnsafeBufferPointer { bytes in
      packet.pointee.data = UnsafeMutablePointer(mutating: bytes.baseAddress)
      packet.pointee.size = Int32(count)
      return av_write_frame(context, packet)
    }
    packet.pointee.data = nil
    packet.pointee.size = 0
    try check(status, "av_write_frame")
  }

  /// Closes the fragment that is being collected. The next one begins at its first packets' own times: without being
  /// told so, FFmpeg adds up durations, and a hole or an unsteady camera would shift all that follows.
  package mutating func finishFragment() throws(FFmpegError) {
    try check(av_write_frame(context, nil), "av_write_frame")
    try check(av_opt_set(context.pointee.priv_data, "movflags", "+frag_discont", 0), "movflags")
    avio_flush(context.pointee.pb)
  }

  package mutating func finish() throws(FFmpegError) {
    isFinished = true
    try check(av_write_trailer(context), "av_write_trailer")
  }

  /// What has come out since the last call.
  package mutating func takeBytes() -> [UInt8] {
    avio_flush(context.pointee.pb)
    return output.take()
  }

  /// Shows each packet that has come out since the last call.
  mutating func takePackets(_ body: (borrowing Span<UInt8>) -> Void) {
    output.takePackets(body)
  }

  /// How many ticks a second the container has for `track`.
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
      // `hvc1`: the parameter sets stand in the headers alone.
      if track.codec == .hevc, !track.headers.isEmpty { parameters.pointee.codec_tag = 0x3163_7668 }
      pointee.time_base = AVRational(num: 1, den: 90_000)
      pointee.avg_frame_rate = format.frameRate.avRational
    case .audio(let format):
      parameters.pointee.codec_type = AVMEDIA_TYPE_AUDIO
      parameters.pointee.sample_rate = Int32(format.sampleRate)
      parameters.pointee.frame_size = track.codec == .aac ? 1024 : 960
      av_channel_layout_default(&parameters.pointee.ch_layout, Int32(format.channels))
      pointee.time_base = AVRational(num: 1, den: Int32(format.sampleRate))
    }
    try parameters.setHeaders(track.headers)
  }
}

extension UnsafeMutablePointer<AVCodecParameters> {
  /// Copies `headers` into memory of FFmpeg's, with the padding that its parsers read over the end.
  func setHeaders(_ headers: [UInt8]) throws(FFmpegError) {
    guard let memory = av_mallocz(headers.count + Int(cff_AV_INPUT_BUFFER_PADDING_SIZE)) else {
      throw .outOfMemory("codec headers")
    }
    memory.copyMemory(from: headers, byteCount: headers.count)
    pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
    pointee.extradata_size = Int32(headers.count)
  }
}
