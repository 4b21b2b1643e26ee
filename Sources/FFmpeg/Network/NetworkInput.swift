import HoldfastCFFmpeg
package import HoldfastMediaModel

/// Media from a network address, demultiplexed by libavformat.
package struct NetworkInput: ~Copyable {
  package struct Settings: Hashable, Sendable {
    package var url: String
    /// The demuxer; nil to recognize it by its first bytes.
    package var format: String?
    /// All that the address, or what it leads to, may open.
    package var protocols: [String]
    package var formats: [String]
    package var options: [String: String] = [:]
    /// How much to read at most to learn about the streams.
    package var analysis = MediaTime.seconds(1)

    package init(url: String, protocols: [String], formats: [String]) {
      self.url = url
      self.protocols = protocols
      self.formats = formats
    }
  }

  private let context: UnsafeMutablePointer<AVFormatContext>
  private let interruption: Interruption
  package let streams: [TrackKind: NetworkTrack]
  /// The media was there before it was asked for, as in a file or a playlist.
  package let isAhead: Bool

  /// Codecs of cameras, encoders and servers.
  private static let decoders = [
    "h264", "hevc", "libdav1d", "av1", "vp8", "libvpx", "vp9", "libvpx-vp9", "mpeg4", "mpeg2video", "mjpeg",
    "aac", "aac_latm", "opus", "libopus", "vorbis", "mp3", "mp3float", "mp2", "mp2float", "ac3", "eac3",
    "flac",
    "pcm_mulaw", "pcm_alaw", "pcm_s16be", "pcm_s16le", "pcm_s24be", "pcm_s24le", "g722", "g726", "g726le",
    "adpcm_g722", "adpcm_g726", "adpcm_g726le",
  ]

  /// Connects, and reads the first packets. `isInterrupted` is asked while a call blocks; true ends the call.
  package init(
    _ settings: Settings, didConnect: () -> Void = {}, isInterrupted: @escaping @Sendable () -> Bool
  ) throws(FFmpegError) {
    let interruption = Interruption(isInterrupted)
    var context = avformat_alloc_context()
    context?.pointee.interrupt_callback = interruption.callback
    context?.pointee.max_analyze_duration = settings.analysis.nanoseconds / 1000
    context?.pointee.flags |= AVFMT_FLAG_NOBUFFER | AVFMT_FLAG_DISCARD_CORRUPT
    var options = OptionDictionary(
      settings.options.map { ($0.key, $0.value) } + [
        ("protocol_whitelist", settings.protocols.joined(separator: ",")),
        ("format_whitelist", settings.formats.joined(separator: ",")),
        ("codec_whitelist", Self.decoders.joined(separator: ",")),
      ])
    let format = settings.format.flatMap { av_find_input_format($0) }
    // Frees the context if it fails. The address may hold a password.
    try check(avformat_open_input(&context, settings.url, format, &options.raw), "connect")
    guard let opened = context else { throw .outOfMemory("avformat_open_input") }
    didConnect()
    do throws(FFmpegError) {
      try check(Demuxer.findStreams(opened, maxPixels: Self.maxPixels), "read")
      streams = try Self.streams(of: opened)
    } catch {
      avformat_close_input(&context)
      throw error
    }
    isAhead = Self.isAhead(opened)
    self.context = opened
    self.interruption = interruption
  }

  deinit {
    release(context, avformat_close_input)
    withExtendedLifetime(interruption) {}
  }

  /// A larger picture is refused.
  static let maxPixels = 8192 * 4608

  /// The next packet of the picture or of the sound; nil at the end.
  package mutating func next() throws(FFmpegError) -> NetworkPacket? {
    let packet = try Packet()
    while true {
      av_packet_unref(packet.raw)
      let status = av_read_frame(context, packet.raw)
      if status == cff_AVERROR_EOF { return nil }
      if status == cff_AVERROR_EAGAIN { continue }
      try check(status, "read")
      for track in streams.values where track.index == packet.raw.pointee.stream_index {
        return NetworkPacket(packet, of: track)
      }
    }
  }

  private static func streams(
    of context: UnsafeMutablePointer<AVFormatContext>
  ) throws(FFmpegError) -> [TrackKind: NetworkTrack] {
    var streams: [TrackKind: NetworkTrack] = [:]
    for kind in TrackKind.allCases {
      let type = kind == .video ? AVMEDIA_TYPE_VIDEO : AVMEDIA_TYPE_AUDIO
      let index = Int(av_find_best_stream(context, type, -1, -1, nil, 0))
      guard index >= 0, let stream = context.pointee.streams[index] else { continue }
      streams[kind] = try NetworkTrack(kind, stream, in: context)
    }
    for index in 0..<Int(context.pointee.nb_streams)
    where !streams.values.contains(where: { $0.index == index }) {
      context.pointee.streams[index]?.pointee.discard = AVDISCARD_ALL
    }
    guard !streams.isEmpty else {
      throw FFmpegError(operation: "no picture and no sound", code: cff_AVERROR_INVALIDDATA)
    }
    return streams
  }

  private static func isAhead(_ context: UnsafeMutablePointer<AVFormatContext>) -> Bool {
    let name = context.pointee.iformat.map { String(cString: $0.pointee.name) } ?? ""
    if name.hasPrefix("hls") { return true }
    guard let input = context.pointee.pb else { return false }
    return input.pointee.seekable != 0 && avio_size(input) > 0
  }
}
