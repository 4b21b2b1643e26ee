import HoldfastCFFmpeg

/// A decoder configured by a container's codec parameters.
struct Decoder: ~Copyable {
  private let context: CodecContext

  init(
    _ id: AVCodecID, parameters: UnsafePointer<AVCodecParameters>? = nil,
    configure: (UnsafeMutablePointer<AVCodecContext>) -> Void
  ) throws(FFmpegError) {
    let name = String(cString: avcodec_get_name(id))
    guard let codec = avcodec_find_decoder(id) else {
      throw FFmpegError(operation: "decoder for \(name)", code: cff_AVERROR_DECODER_NOT_FOUND)
    }
    let context = try CodecContext(codec, named: name)
    if let parameters {
      try check(avcodec_parameters_to_context(context.raw, parameters), "avcodec_open2(\(name))")
    }
    configure(context.raw)
    try context.open()
    self.context = context
  }

  enum Answer { case frame, needsPacket, ended }

  func receive(into frame: borrowing Frame) throws(FFmpegError) -> Answer {
    let status = avcodec_receive_frame(context.raw, frame.raw)
    if status == cff_AVERROR_EAGAIN { return .needsPacket }
    if status == cff_AVERROR_EOF { return .ended }
    try check(status, "avcodec_receive_frame")
    return .frame
  }

  /// Sends a packet, or nil for the end.
  func send(_ packet: UnsafePointer<AVPacket>?) throws(FFmpegError) {
    try check(avcodec_send_packet(context.raw, packet), "avcodec_send_packet")
  }

  func flush() { avcodec_flush_buffers(context.raw) }
}
