internal import HoldfastCFFmpeg

/// The one owner of a decoder of FFmpeg's.
struct Decoder: ~Copyable {
  private let raw: UnsafeMutablePointer<AVCodecContext>

  init(for parameters: UnsafePointer<AVCodecParameters>) throws(FFmpegError) {
    let name = String(cString: avcodec_get_name(parameters.pointee.codec_id))
    guard let codec = avcodec_find_decoder(parameters.pointee.codec_id) else {
      throw FFmpegError(operation: "decoder for \(name)", code: cff_AVERROR_DECODER_NOT_FOUND)
    }
    var raw = avcodec_alloc_context3(codec)
    guard let context = raw else { throw .outOfMemory("avcodec_alloc_context3(\(name))") }
    var status = avcodec_parameters_to_context(context, parameters)
    context.pointee.thread_count = 2
    if status >= 0 { status = avcodec_open2(context, codec, nil) }
    guard status >= 0 else {
      avcodec_free_context(&raw)
      throw FFmpegError(operation: "avcodec_open2(\(name))", code: status)
    }
    self.raw = context
  }

  deinit {
    var raw: UnsafeMutablePointer<AVCodecContext>? = raw
    avcodec_free_context(&raw)
  }

  enum Answer {
    case frame, needsPacket, ended
  }

  func receive(into frame: borrowing Frame) throws(FFmpegError) -> Answer {
    let status = avcodec_receive_frame(raw, frame.raw)
    if status == cff_AVERROR_EAGAIN { return .needsPacket }
    if status == cff_AVERROR_EOF { return .ended }
    try check(status, "avcodec_receive_frame")
    return .frame
  }

  /// Nil: there are no more packets.
  func send(_ packet: UnsafePointer<AVPacket>?) throws(FFmpegError) {
    try check(avcodec_send_packet(raw, packet), "avcodec_send_packet")
  }

  func flush() {
    avcodec_flush_buffers(raw)
  }
}
