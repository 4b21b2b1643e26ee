internal import HoldfastCFFmpeg

/// The one owner of an encoder of FFmpeg's, and its sending and receiving.
struct EncoderContext: ~Copyable {
  let raw: UnsafeMutablePointer<AVCodecContext>
  let codec: UnsafePointer<AVCodec>
  let name: String
  private let packet: UnsafeMutablePointer<AVPacket>

  init(named name: String) throws(FFmpegError) {
    guard let codec = avcodec_find_encoder_by_name(name) else {
      throw FFmpegError(operation: "encoder \(name)", code: cff_AVERROR_ENCODER_NOT_FOUND)
    }
    guard let packet = av_packet_alloc() else { throw .outOfMemory("av_packet_alloc") }
    guard let raw = avcodec_alloc_context3(codec) else {
      var packet: UnsafeMutablePointer<AVPacket>? = packet
      av_packet_free(&packet)
      throw .outOfMemory("avcodec_alloc_context3(\(name))")
    }
    self.codec = codec
    self.name = name
    self.packet = packet
    self.raw = raw
  }

  deinit {
    var raw: UnsafeMutablePointer<AVCodecContext>? = raw
    avcodec_free_context(&raw)
    var packet: UnsafeMutablePointer<AVPacket>? = packet
    av_packet_free(&packet)
  }

  func open(_ options: [(name: String, value: String)]) throws(FFmpegError) {
    var dictionary: OpaquePointer?
    defer { av_dict_free(&dictionary) }
    for option in options { av_dict_set(&dictionary, option.name, option.value, 0) }
    try check(avcodec_open2(raw, codec, &dictionary), "avcodec_open2(\(name))")
  }

  /// The headers that the encoder keeps out of its packets.
  var headers: [UInt8] {
    Array(UnsafeBufferPointer(start: raw.pointee.extradata, count: Int(raw.pointee.extradata_size)))
  }

  /// Gives the encoder a frame (nil: there are no more) and hands every packet that is ready to `body`.
  func encode(
    _ frame: UnsafeMutablePointer<AVFrame>?, _ body: (UnsafePointer<AVPacket>) throws(FFmpegError) -> Void
  ) throws(FFmpegError) {
    try check(avcodec_send_frame(raw, frame), "avcodec_send_frame(\(name))")
    while true {
      let status = avcodec_receive_packet(raw, packet)
      if status == cff_AVERROR_EAGAIN || status == cff_AVERROR_EOF { return }
      try check(status, "avcodec_receive_packet(\(name))")
      defer { av_packet_unref(packet) }
      try body(packet)
    }
  }
}

extension UnsafePointer<AVPacket> {
  var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: pointee.data, count: Int(pointee.size))
  }

  var isKeyframe: Bool { pointee.flags & cff_AV_PKT_FLAG_KEY != 0 }
}
