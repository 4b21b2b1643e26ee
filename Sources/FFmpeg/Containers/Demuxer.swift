import HoldfastCFFmpeg
import HoldfastMediaModel

struct Demuxer: ~Copyable {
  let context: UnsafeMutablePointer<AVFormatContext>
  let stream: UnsafeMutablePointer<AVStream>
  private let owner: Packet
  /// The largest picture to be decoded; nil for any.
  let maxPixels: Int?
  private let input: StreamInput?

  /// Formats that hold their media themselves. A playlist would name other files or servers.
  private static let formats = [
    "mov", "matroska", "webm", "mpegts", "mpeg", "flv", "avi", "asf", "mxf", "nut", "ogg", "wav", "w64",
    "aiff", "caf", "mp3", "aac", "ac3", "flac", "amr", "loas", "h264", "hevc", "obu", "ivf", "m4v",
    "mpegvideo", "mjpeg", "dv", "yuv4mpegpipe", "gif", "apng", "image2", "png_pipe", "jpeg_pipe",
    "webp_pipe", "bmp_pipe", "tiff_pipe",
  ]
  /// The decoders of the codecs in recordings.
  private static let decoders = ["h264", "hevc", "libdav1d", "av1", "aac", "opus", "libopus"]

  init(path: String, kind: TrackKind) throws(FFmpegError) {
    var context: UnsafeMutablePointer<AVFormatContext>?
    var options = OptionDictionary([("format_whitelist", Self.formats.joined(separator: ","))])
    try check(avformat_open_input(&context, "file:" + path, nil, &options.raw), "open \(path)")
    try self.init(context, kind: kind, of: path, maxPixels: nil, input: nil)
  }

  init(_ stream: MediaStream, of path: String, kind: TrackKind) throws(FFmpegError) {
    let input = try StreamInput(stream)
    var context = avformat_alloc_context()
    context?.pointee.pb = input.raw
    var options = OptionDictionary([("codec_whitelist", Self.decoders.joined(separator: ","))])
    // Frees the context if it fails.
    try check(avformat_open_input(&context, nil, av_find_input_format("mov"), &options.raw), "read \(path)")
    try self.init(context, kind: kind, of: path, maxPixels: stream.maxPixels, input: input)
  }

  private init(
    _ opened: UnsafeMutablePointer<AVFormatContext>?, kind: TrackKind, of path: String, maxPixels: Int?,
    input: consuming StreamInput?
  ) throws(FFmpegError) {
    var context = opened
    let packet: Packet
    do throws(FFmpegError) {
      packet = try Packet()
    } catch {
      avformat_close_input(&context)
      throw error
    }
    let type = kind == .video ? AVMEDIA_TYPE_VIDEO : AVMEDIA_TYPE_AUDIO
    var status = context.map { Self.findStreams($0, maxPixels: maxPixels) } ?? cff_AVERROR_ENOMEM
    if status >= 0 { status = av_find_best_stream(context, type, -1, -1, nil, 0) }
    guard let opened = context, status >= 0, let stream = opened.pointee.streams[Int(status)] else {
      avformat_close_input(&context)
      throw FFmpegError(
        operation: "\(kind.rawValue) of \(path)", code: status < 0 ? status : cff_AVERROR_ENOMEM)
    }
    for index in 0..<Int(opened.pointee.nb_streams) where index != status {
      opened.pointee.streams[index]?.pointee.discard = AVDISCARD_ALL
    }
    self.context = opened
    self.stream = stream
    self.maxPixels = maxPixels
    self.input = input
    owner = packet
  }

  /// Reads the first packets to learn more about the streams.
  static func findStreams(_ context: UnsafeMutablePointer<AVFormatContext>, maxPixels: Int?) -> Int32 {
    guard let maxPixels else { return avformat_find_stream_info(context, nil) }
    var options: [OpaquePointer?] = (0..<context.pointee.nb_streams).map { _ in
      var one: OpaquePointer?
      av_dict_set_int(&one, "max_pixels", Int64(maxPixels), 0)
      return one
    }
    defer { for index in options.indices { av_dict_free(&options[index]) } }
    return avformat_find_stream_info(context, &options)
  }

  deinit { release(context, avformat_close_input) }

  var packet: UnsafeMutablePointer<AVPacket> { owner.raw }

  /// Reads the track's next packet into `packet`; false at the end.
  func readPacket() throws(FFmpegError) -> Bool {
    while true {
      av_packet_unref(packet)
      let status = av_read_frame(context, packet)
      if status == cff_AVERROR_EOF { return false }
      try check(status, "av_read_frame")
      if packet.pointee.stream_index == stream.pointee.index { return true }
    }
  }

  func rewind() throws(FFmpegError) {
    let start = context.pointee.start_time
    try check(
      av_seek_frame(context, -1, start == cff_AV_NOPTS_VALUE ? 0 : start, AVSEEK_FLAG_BACKWARD),
      "av_seek_frame")
  }

  /// Ten years; longer times are invalid.
  private static let maxTime = MediaTime.seconds(10 * 366 * 86400)

  /// The time since the start of the file; nil if missing or invalid.
  func time(_ ticks: Int64) -> MediaTime? {
    guard ticks != cff_AV_NOPTS_VALUE else { return nil }
    let start = context.pointee.start_time
    let offset =
      start == cff_AV_NOPTS_VALUE ? .zero : MediaTime(ticks: start, timescale: Int(cff_AV_TIME_BASE))
    let valid = .zero - Self.maxTime...Self.maxTime
    let time = length(ticks)
    return valid.contains(time) && valid.contains(offset) ? time - offset : nil
  }

  func length(_ ticks: Int64) -> MediaTime {
    let base = stream.pointee.time_base
    return MediaTime(
      ticks: ticks.multipliedReportingOverflow(by: Int64(base.num)).partialValue, timescale: Int(base.den))
  }

  /// The duration of the whole file, after which both tracks loop; nil if unknown.
  var duration: MediaTime? {
    let duration = context.pointee.duration
    guard duration != cff_AV_NOPTS_VALUE, duration > 0 else { return nil }
    return MediaTime(ticks: duration, timescale: Int(cff_AV_TIME_BASE))
  }

  var videoFormat: VideoFormat { stream.videoFormat(in: context) }
  var audioFormat: AudioFormat { stream.audioFormat }
  var codecName: String { stream.codecName }
}

extension UnsafeMutablePointer<AVStream> {
  func videoFormat(in context: UnsafeMutablePointer<AVFormatContext>) -> VideoFormat {
    let parameters = pointee.codecpar.pointee
    let guess = av_guess_frame_rate(context, self, nil)
    return VideoFormat(
      size: PictureSize(width: Int(parameters.width), height: Int(parameters.height)),
      frameRate: FrameRate(numerator: Int(guess.num), denominator: Int(guess.den)) ?? .thirty)
  }

  var audioFormat: AudioFormat {
    let parameters = pointee.codecpar.pointee
    return AudioFormat(
      sampleRate: Int(parameters.sample_rate), channels: Int(parameters.ch_layout.nb_channels))
  }

  var codecName: String { String(cString: avcodec_get_name(pointee.codecpar.pointee.codec_id)) }
}
