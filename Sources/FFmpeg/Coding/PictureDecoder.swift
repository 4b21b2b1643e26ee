internal import HoldfastCFFmpeg
package import HoldfastMediaModel

/// Decodes compressed pictures that stand each for itself, as cameras give them. One thread, no delay.
package struct PictureDecoder: ~Copyable, @unchecked Sendable {  // one owner at a time
  private let context: UnsafeMutablePointer<AVCodecContext>
  private let packet: UnsafeMutablePointer<AVPacket>
  /// How the last decoded picture lies in memory.
  package private(set) var pixelFormat: PixelFormat?

  package static func mjpeg() throws(FFmpegError) -> PictureDecoder {
    try PictureDecoder(AV_CODEC_ID_MJPEG)
  }

  private init(_ codec: AVCodecID) throws(FFmpegError) {
    let name = String(cString: avcodec_get_name(codec))
    guard let decoder = avcodec_find_decoder(codec) else {
      throw FFmpegError(operation: "avcodec_find_decoder(\(name))", code: cff_AVERROR_DECODER_NOT_FOUND)
    }
    var context = avcodec_alloc_context3(decoder)
    var packet = av_packet_alloc()
    guard let openContext = context, let openPacket = packet else {
      avcodec_free_context(&context)
      av_packet_free(&packet)
      throw .outOfMemory("avcodec_alloc_context3(\(name))")
    }
    openContext.pointee.thread_count = 1
    openContext.pointee.err_recognition = AV_EF_EXPLODE
    // A broken picture is told by the status; libavcodec need not write about it.
    openContext.pointee.log_level_offset = AV_LOG_TRACE
    let status = avcodec_open2(openContext, decoder, nil)
    guard status >= 0 else {
      avcodec_free_context(&context)
      av_packet_free(&packet)
      throw FFmpegError(operation: "avcodec_open2(\(name))", code: status)
    }
    self.context = openContext
    self.packet = openPacket
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = context
    avcodec_free_context(&context)
    var packet: UnsafeMutablePointer<AVPacket>? = packet
    av_packet_free(&packet)
  }

  /// The picture in `bytes`; nil where there is none in them.
  package mutating func decode(_ bytes: UnsafeRawBufferPointer) throws(FFmpegError) -> Frame? {
    guard let source = bytes.baseAddress, !bytes.isEmpty else { return nil }
    try check(av_new_packet(packet, Int32(clamping: bytes.count)), "av_new_packet")
    defer { av_packet_unref(packet) }
    packet.pointee.data.update(
      from: source.assumingMemoryBound(to: UInt8.self), count: Int(packet.pointee.size))
    try check(avcodec_send_packet(context, packet), "avcodec_send_packet")
    let frame = try Frame()
    let status = avcodec_receive_frame(context, frame.raw)
    if status == cff_AVERROR_EAGAIN { return nil }
    try check(status, "avcodec_receive_frame")
    pixelFormat = try Self.settle(frame.raw)
    return frame
  }

  /// JPEG's formats are the plain ones with the full range of values: says the range where the others say it.
  private static func settle(_ frame: UnsafeMutablePointer<AVFrame>) throws(FFmpegError) -> PixelFormat {
    let format: PixelFormat
    switch AVPixelFormat(rawValue: frame.pointee.format) {
    case AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUV420P: format = .yuv420p
    case AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUV422P: format = .yuv422p
    case AV_PIX_FMT_GRAY8: format = .gray
    default: throw FFmpegError(operation: "decoding to an unknown pixel format", code: cff_AVERROR_EINVAL)
    }
    frame.pointee.color_range = AVCOL_RANGE_JPEG
    frame.pointee.format = format.avPixelFormat.rawValue
    return format
  }
}
