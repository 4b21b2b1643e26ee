import HoldfastCFFmpeg
package import HoldfastMediaModel

/// A track whose packets are passed on without decoding, in the form of `MediaPacket`.
package struct CopiedTrack: Hashable, Sendable {
  /// How the packets come.
  private enum Form: Hashable {
    case asInFiles
    /// With start codes, and parameter sets within the packets.
    case annexB
    /// With a header in front of each packet, as in transport streams.
    case adts
  }

  package let track: Track
  private let form: Form

  init(_ parameters: AVCodecParameters, _ format: Track.Format, name: String) throws(FFmpegError) {
    guard let codec = Codec(parameters.codec_id) else {
      throw FFmpegError(operation: "copying \(name)", code: cff_AVERROR_ENCODER_NOT_FOUND)
    }
    let extra = Array(UnsafeBufferPointer(start: parameters.extradata, count: Int(parameters.extradata_size)))
    let bitrate = Int(parameters.bit_rate)
    switch (codec, format) {
    case (.h264, _) where extra.first != 1, (.hevc, _) where extra.first != 1:
      form = .annexB
      track = try Self.track(codec, format, codec.headers(annexB: extra.span), bitrate, name)
    case (.aac, .audio(let format)) where extra.isEmpty:
      form = .adts
      let headers = AACConfiguration.headers(profile: Int(parameters.profile), format)
      track = try Self.track(codec, .audio(format), headers, bitrate, name)
    default:
      form = .asInFiles
      track = try Self.track(codec, format, extra, bitrate, name)
    }
  }

  private init(_ track: Track, _ form: Form) { (self.track, self.form) = (track, form) }

  private static func track(
    _ codec: Codec, _ format: Track.Format, _ headers: [UInt8]?, _ bitrate: Int, _ name: String
  ) throws(FFmpegError) -> Track {
    guard let headers, hasFourByteLengths(codec, headers) else {
      throw FFmpegError(operation: "headers of \(name)", code: cff_AVERROR_EINVAL)
    }
    return Track(codec: codec, format: format, headers: headers, bitrate: bitrate)
  }

  /// Whether units have four-byte lengths, as in `MediaPacket` and nearly all files.
  private static func hasFourByteLengths(_ codec: Codec, _ headers: [UInt8]) -> Bool {
    switch codec {
    case .h264: headers.count > 4 && headers[4] & 3 == 3
    case .hevc: headers.count > 21 && headers[21] & 3 == 3
    case .av1, .aac, .opus: true
    }
  }

  func payload(_ bytes: borrowing Span<UInt8>) -> [UInt8] {
    switch form {
    case .annexB: track.codec.packetBytes(annexB: bytes)
    case .adts: AACConfiguration.payload(adts: bytes)
    case .asInFiles: bytes.withUnsafeBufferPointer { Array($0) }
    }
  }
}

// MARK: - Changes

extension CopiedTrack {
  /// The track that begins with `packet`, if that comes with other headers; throws if those can't be used.
  package func beginning(with packet: borrowing NetworkPacket) throws(FFmpegError) -> CopiedTrack? {
    let bytes = UnsafePointer(packet.packet.raw).bytes
    guard let headers = headers(before: packet, bytes), !track.codec.covers(headers, with: track.headers)
    else { return nil }
    var new = try Self.track(track.codec, track.format, headers, track.bitrate, track.codec.name)
    switch track.format {
    case .video(var format):
      format.size = try CodedPicture.size(new, CopiedTrack(new, form).payload(bytes.span)) ?? format.size
      new = Track(codec: new.codec, format: .video(format), headers: headers, bitrate: new.bitrate)
    case .audio(let format):
      let announced = new.codec == .aac ? AACConfiguration.format(headers: headers) : nil
      new = Track(
        codec: new.codec, format: .audio(announced ?? format), headers: headers, bitrate: new.bitrate)
    }
    return CopiedTrack(new, form)
  }

  /// Nil if none come with the packet.
  private func headers(
    before packet: borrowing NetworkPacket, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> [UInt8]? {
    switch form {
    case .annexB:
      packet.isKeyframe ? track.codec.headers(annexB: bytes.span) : nil
    case .adts: AACConfiguration.headers(adts: bytes.span)
    case .asInFiles: packet.newHeaders.flatMap { $0.isEmpty ? nil : $0 }
    }
  }
}

/// The size of an encoded picture, without decoding it.
enum CodedPicture {
  /// Nil if it is unknown.
  static func size(_ track: Track, _ bytes: [UInt8]) throws(FFmpegError) -> PictureSize? {
    guard let codec = avcodec_find_decoder(track.codec.avCodecID),
      let parser = av_parser_init(Int32(track.codec.avCodecID.rawValue))
    else { return nil }
    defer { av_parser_close(parser) }
    parser.pointee.flags |= PARSER_FLAG_COMPLETE_FRAMES
    let context = try CodecContext(codec, named: track.codec.name)
    guard let parameters = avcodec_parameters_alloc() else { throw .outOfMemory("codec parameters") }
    defer { release(parameters, avcodec_parameters_free) }
    parameters.pointee.codec_type = AVMEDIA_TYPE_VIDEO
    parameters.pointee.codec_id = track.codec.avCodecID
    try parameters.setHeaders(track.headers)
    try check(avcodec_parameters_to_context(context.raw, parameters), "codec parameters")
    let padded = bytes + Array(repeating: 0, count: Int(cff_AV_INPUT_BUFFER_PADDING_SIZE))
    var output: UnsafeMutablePointer<UInt8>?
    var size: Int32 = 0
    _ = padded.withUnsafeBufferPointer { input in
      av_parser_parse2(
        parser, context.raw, &output, &size, input.baseAddress, Int32(clamping: bytes.count),
        cff_AV_NOPTS_VALUE, cff_AV_NOPTS_VALUE, 0)
    }
    let found = PictureSize(width: Int(parser.pointee.width), height: Int(parser.pointee.height))
    return found.width > 0 && found.height > 0 ? found : nil
  }
}
