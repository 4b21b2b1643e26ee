import HoldfastCFFmpeg
package import HoldfastMediaModel

/// Encodes H.264, HEVC or AV1 without delay.
package struct VideoEncoder: ~Copyable {
  package struct Settings: Hashable, Sendable {
    package var codec: Codec
    package var format: VideoFormat
    package var bitrate: Int
    package var keyframeInterval: MediaTime
    package var speed = EncoderSpeed.usual
    /// Of another H.264 encoder, whose headers it has then if it can; nil for what the headers need to say.
    package var level: UInt8?

    package init(codec: Codec, format: VideoFormat, bitrate: Int, keyframeInterval: MediaTime) {
      self.codec = codec
      self.format = format
      self.bitrate = bitrate
      self.keyframeInterval = keyframeInterval
    }

    /// From one keyframe to the next.
    package static func pictures(in interval: MediaTime, at rate: FrameRate) -> Int {
      Int(max(1, min((interval.seconds * rate.framesPerSecond).rounded(), 10_000)))
    }
  }

  /// The encoder's timescale, also that of RTP, TS and MP4.
  private static let timescale = 90_000

  package let implementation: EncoderImplementation
  /// The encoder's input format.
  package let pixelFormat: PixelFormat
  /// Nil until the headers are known, which for some hardware encoders is at the first picture.
  package private(set) var track: Track?
  private let settings: Settings
  private let encoder: EncoderContext
  private let upload: HardwareUpload?

  /// Opens an encoder; `source` is the preferred pixel format, used where the encoder supports it.
  package init(
    _ implementation: EncoderImplementation, _ settings: Settings, source: PixelFormat
  ) throws(FFmpegError) {
    let encoder = try EncoderContext(named: implementation.name(for: settings.codec))
    Self.configure(encoder.raw, settings)
    let upload = implementation == .vaapi ? try HardwareUpload(size: settings.format.size) : nil
    let pixelFormat = upload == nil ? Self.preferred(source, by: encoder.context.codec) : .nv12
    encoder.raw.pointee.pix_fmt = pixelFormat.avPixelFormat
    upload?.attach(to: encoder.raw)
    try encoder.context.open(implementation.options(for: settings.codec, settings.speed))
    let track = Self.track(settings, annexB: encoder.headers)
    let isUnknown = track == nil && implementation == .software
    self.track = isUnknown ? try Self.firstTrack(settings, pixelFormat) : track
    self.implementation = implementation
    self.pixelFormat = pixelFormat
    self.settings = settings
    self.encoder = encoder
    self.upload = upload
  }

  package mutating func encode(
    _ frame: consuming Frame, at time: MediaTime, isKeyframeForced: Bool = false
  ) throws(FFmpegError) -> [MediaPacket] {
    let picture = upload == nil ? frame : try uploaded(frame)
    picture.raw.pointee.pts = time.ticks(timescale: Self.timescale)
    picture.raw.pointee.pict_type = isKeyframeForced ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
    return try packets(for: picture.raw)
  }

  /// Returns the remaining packets; nothing can be encoded afterwards.
  package mutating func finish() throws(FFmpegError) -> [MediaPacket] { try packets(for: nil) }

  /// An encoder of another speed, for the pictures after those that this one has encoded; nil if its packets
  /// could not continue the track. It begins with a keyframe.
  package func replaced(by speed: EncoderSpeed) throws(FFmpegError) -> VideoEncoder? {
    guard implementation.speeds(for: settings.codec).contains(speed) else { return nil }
    var settings = settings
    settings.speed = speed
    let other = try VideoEncoder(implementation, settings, source: pixelFormat)
    guard other.track == track, other.pixelFormat == pixelFormat else { return nil }
    return other
  }

  /// An encoder of another bitrate, for the pictures after those that this one has encoded. It begins with a keyframe,
  /// and may have other headers.
  package func replaced(atBitrate bitrate: Int) throws(FFmpegError) -> VideoEncoder {
    var settings = settings
    settings.bitrate = bitrate
    return try VideoEncoder(implementation, settings, source: pixelFormat)
  }

  /// Changes the bitrate from the next picture on; false if the encoder must be restarted.
  package mutating func setBitrate(_ bitrate: Int) -> Bool {
    guard implementation.changesBitrateWhileRunning(settings.codec) else { return false }
    Self.setRate(encoder.raw, bitrate)
    return true
  }

  private func uploaded(_ frame: borrowing Frame) throws(FFmpegError) -> Frame {
    guard let result = try upload?.upload(frame) else { return try frame.reference() }
    return result
  }

  private mutating func packets(
    for frame: UnsafeMutablePointer<AVFrame>?
  ) throws(FFmpegError) -> [MediaPacket] {
    var result: [MediaPacket] = []
    var track = track
    try encoder.encode(frame) { packet in
      let bytes = packet.bytes
      track = track ?? Self.track(settings, annexB: Array(bytes))
      let isKeyframe = packet.isKeyframe
      result.append(
        MediaPacket(
          track: .video, decodeTime: MediaTime(ticks: packet.pointee.dts, timescale: Self.timescale),
          presentationTime: MediaTime(ticks: packet.pointee.pts, timescale: Self.timescale),
          duration: settings.format.frameRate.frameDuration, isKeyframe: isKeyframe,
          bytes: settings.codec.packetBytes(annexB: bytes.span), headers: isKeyframe ? track?.headers : nil))
    }
    self.track = track
    return result
  }

  /// libaom describes its track only with its first picture; another encoder makes one beforehand.
  private static func firstTrack(_ settings: Settings, _ format: PixelFormat) throws(FFmpegError) -> Track? {
    let software = EncoderImplementation.software
    let encoder = try EncoderContext(named: software.name(for: settings.codec))
    configure(encoder.raw, settings)
    encoder.raw.pointee.pix_fmt = format.avPixelFormat
    try encoder.context.open(software.options(for: settings.codec, settings.speed))
    let picture = try Frame(size: settings.format.size, format: format)
    picture.raw.pointee.pts = 0
    var track: Track?
    try encoder.encode(picture.raw) { packet in
      track = track ?? Self.track(settings, annexB: Array(packet.bytes))
    }
    return track
  }

  private static func track(_ settings: Settings, annexB bytes: [UInt8]) -> Track? {
    guard let headers = settings.codec.headers(annexB: bytes.span) else { return nil }
    return Track(
      codec: settings.codec, format: .video(settings.format), headers: headers, bitrate: settings.bitrate)
  }

  private static func configure(_ context: UnsafeMutablePointer<AVCodecContext>, _ settings: Settings) {
    let format = settings.format
    context.pointee.width = Int32(format.size.width)
    context.pointee.height = Int32(format.size.height)
    context.pointee.time_base = AVRational(num: 1, den: Int32(timescale))
    context.pointee.framerate = format.frameRate.avRational
    context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
    context.pointee.color_range = AVCOL_RANGE_MPEG
    context.pointee.max_b_frames = 0
    context.pointee.gop_size = Int32(Settings.pictures(in: settings.keyframeInterval, at: format.frameRate))
    context.pointee.flags |= cff_AV_CODEC_FLAG_GLOBAL_HEADER
    if let level = settings.level { context.pointee.level = Int32(level) }
    setRate(context, settings.bitrate)
  }

  /// Sets a constant rate: no second may exceed its share.
  private static func setRate(_ context: UnsafeMutablePointer<AVCodecContext>, _ bitrate: Int) {
    context.pointee.bit_rate = Int64(bitrate)
    context.pointee.rc_max_rate = Int64(bitrate)
    context.pointee.rc_buffer_size = Int32(clamping: bitrate)
  }

  private static func preferred(_ source: PixelFormat, by codec: UnsafePointer<AVCodec>) -> PixelFormat {
    let candidates = [PixelFormat.yuv420p, .nv12].filter { codec.accepts($0) }
    return candidates.first { $0 == source } ?? candidates.first ?? .yuv420p
  }
}

extension UnsafePointer<AVCodec> {
  fileprivate func accepts(_ format: PixelFormat) -> Bool {
    guard var entry = pointee.pix_fmts else { return true }
    while entry.pointee != AV_PIX_FMT_NONE {
      if entry.pointee == format.avPixelFormat { return true }
      entry += 1
    }
    return false
  }
}
