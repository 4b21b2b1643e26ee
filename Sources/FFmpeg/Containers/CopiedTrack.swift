import HoldfastCFFmpeg
package import HoldfastMediaModel

/// A track whose packets are passed on without decoding, in the form of `MediaPacket`.
package struct CopiedTrack: Hashable, Sendable {
  package let track: Track
  private let isAnnexB: Bool

  init(_ parameters: AVCodecParameters, _ format: Track.Format, name: String) throws(FFmpegError) {
    guard let codec = Codec(parameters.codec_id) else {
      throw FFmpegError(operation: "copying \(name)", code: cff_AVERROR_ENCODER_NOT_FOUND)
    }
    let extra = Array(UnsafeBufferPointer(start: parameters.extradata, count: Int(parameters.extradata_size)))
    try self.init(codec, format, headers: extra, bitrate: Int(parameters.bit_rate), name: name)
  }

  private init(
    _ codec: Codec, _ format: Track.Format, headers extra: [UInt8], bitrate: Int, name: String
  ) throws(FFmpegError) {
    isAnnexB = codec.hasNALUnits && extra.first != 1
    let headers = isAnnexB ? codec.headers(annexB: extra.span) : extra
    guard let headers, isAnnexB || Self.hasFourByteLengths(codec, headers) else {
      throw FFmpegError(operation: "headers of \(name)", code: cff_AVERROR_EINVAL)
    }
    track = Track(codec: codec, format: format, headers: headers, bitrate: bitrate)
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
    isAnnexB ? track.codec.packetBytes(annexB: bytes) : bytes.withUnsafeBufferPointer { Array($0) }
  }
}
