import HoldfastCFFmpeg
package import HoldfastMediaModel

/// Decodes MJPEG on one thread, without delay.
package struct PictureDecoder: ~Copyable, @unchecked Sendable {  // one owner at a time
  private let decoder: Decoder
  private let packet: Packet
  package private(set) var pixelFormat: PixelFormat?

  package static func mjpeg() throws(FFmpegError) -> PictureDecoder { try PictureDecoder() }

  private init() throws(FFmpegError) {
    let packet = try Packet()
    decoder = try Decoder(AV_CODEC_ID_MJPEG) { context in
      context.pointee.thread_count = 1
      context.pointee.err_recognition = AV_EF_EXPLODE
      // Damaged pictures are reported by the status, not logged.
      context.pointee.log_level_offset = AV_LOG_TRACE
    }
    self.packet = packet
  }

  /// The picture in `bytes`; nil if there is none.
  package mutating func decode(_ bytes: UnsafeRawBufferPointer) throws(FFmpegError) -> Frame? {
    guard let source = bytes.baseAddress, !bytes.isEmpty else { return nil }
    let raw = packet.raw
    try check(av_new_packet(raw, Int32(clamping: bytes.count)), "av_new_packet")
    defer { av_packet_unref(raw) }
    raw.pointee.data.update(from: source.assumingMemoryBound(to: UInt8.self), count: Int(raw.pointee.size))
    try decoder.send(raw)
    let frame = try Frame()
    guard try decoder.receive(into: frame) == .frame else { return nil }
    pixelFormat = try Self.normalize(frame.raw)
    return frame
  }

  /// Replaces JPEG's pixel formats by the plain ones in full range.
  private static func normalize(_ frame: UnsafeMutablePointer<AVFrame>) throws(FFmpegError) -> PixelFormat {
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
