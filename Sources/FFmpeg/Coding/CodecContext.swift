import HoldfastCFFmpeg

struct EncoderContext: ~Copyable {
  let context: CodecContext
  private let packet: Packet

  init(named name: String) throws(FFmpegError) {
    guard let codec = avcodec_find_encoder_by_name(name) else {
      throw FFmpegError(operation: "encoder \(name)", code: cff_AVERROR_ENCODER_NOT_FOUND)
    }
    let packet = try Packet()
    context = try CodecContext(codec, named: name)
    self.packet = packet
  }

  var raw: UnsafeMutablePointer<AVCodecContext> { context.raw }

  var headers: [UInt8] {
    Array(UnsafeBufferPointer(start: raw.pointee.extradata, count: Int(raw.pointee.extradata_size)))
  }

  /// Sends a frame, or nil for the end, and passes each finished packet to `body`.
  func encode(
    _ frame: UnsafeMutablePointer<AVFrame>?, _ body: (UnsafePointer<AVPacket>) throws(FFmpegError) -> Void
  ) throws(FFmpegError) {
    try check(avcodec_send_frame(raw, frame), "avcodec_send_frame(\(context.name))")
    while true {
      let status = avcodec_receive_packet(raw, packet.raw)
      if status == cff_AVERROR_EAGAIN || status == cff_AVERROR_EOF { return }
      try check(status, "avcodec_receive_packet(\(context.name))")
      defer { av_packet_unref(packet.raw) }
      try body(packet.raw)
    }
  }
}

/// Owns an encoder's or decoder's AVCodecContext.
struct CodecContext: ~Copyable {
  let raw: UnsafeMutablePointer<AVCodecContext>
  let codec: UnsafePointer<AVCodec>
  let name: String

  init(_ codec: UnsafePointer<AVCodec>, named name: String) throws(FFmpegError) {
    guard let raw = avcodec_alloc_context3(codec) else {
      throw .outOfMemory("avcodec_alloc_context3(\(name))")
    }
    self.raw = raw
    self.codec = codec
    self.name = name
  }

  deinit { release(raw, avcodec_free_context) }

  func open(_ options: [(name: String, value: String)] = []) throws(FFmpegError) {
    var dictionary = OptionDictionary(options)
    try check(avcodec_open2(raw, codec, &dictionary.raw), "avcodec_open2(\(name))")
  }
}

struct OptionDictionary: ~Copyable {
  var raw: OpaquePointer?

  init(_ options: [(name: String, value: String)]) {
    for option in options { av_dict_set(&raw, option.name, option.value, 0) }
  }

  deinit {
    var raw = raw
    av_dict_free(&raw)
  }
}

struct Packet: ~Copyable {
  let raw: UnsafeMutablePointer<AVPacket>

  init() throws(FFmpegError) {
    guard let raw = av_packet_alloc() else { throw .outOfMemory("av_packet_alloc") }
    self.raw = raw
  }

  deinit { release(raw, av_packet_free) }
}

extension UnsafePointer<AVPacket> {
  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: pointee.data, count: Int(pointee.size)) }

  var isKeyframe: Bool { pointee.flags & cff_AV_PKT_FLAG_KEY != 0 }
}
