internal import CFFmpeg
public import MediaModel

/// The packets of one track of a file, as they are: nothing is decoded.
public struct PacketReader: ~Copyable {
  private let demuxer: Demuxer
  public let track: Track
  /// The file separates the units by start codes.
  private let isAnnexB: Bool
  /// Where a packet without a time belongs, as all of a raw stream are.
  private var nextTime = MediaTime.zero

  public init(path: String, kind: TrackKind) throws(FFmpegError) {
    let demuxer = try Demuxer(path: path, kind: kind)
    let parameters = demuxer.stream.pointee.codecpar.pointee
    guard let codec = Codec(parameters.codec_id) else {
      throw FFmpegError(operation: "copying \(demuxer.codecName)", code: cff_AVERROR_ENCODER_NOT_FOUND)
    }
    let extra = Array(UnsafeBufferPointer(start: parameters.extradata, count: Int(parameters.extradata_size)))
    let isAnnexB = codec.hasNALUnits && extra.first != 1
    let headers = isAnnexB ? codec.headers(annexB: extra.span) : extra
    guard let headers, isAnnexB || Self.hasFourByteLengths(codec, headers) else {
      throw FFmpegError(operation: "\(demuxer.codecName) headers of \(path)", code: cff_AVERROR_EINVAL)
    }
    let format: Track.Format = kind == .video ? .video(demuxer.videoFormat) : .audio(demuxer.audioFormat)
    track = Track(codec: codec, format: format, headers: headers, bitrate: Int(parameters.bit_rate))
    self.isAnnexB = isAnnexB
    self.demuxer = demuxer
  }

  public var duration: MediaTime? { demuxer.duration }

  /// What our packets have in front of each unit. Hardly any file has less.
  private static func hasFourByteLengths(_ codec: Codec, _ headers: [UInt8]) -> Bool {
    switch codec {
    case .h264: headers.count > 4 && headers[4] & 3 == 3
    case .hevc: headers.count > 21 && headers[21] & 3 == 3
    case .av1, .aac, .opus: true
    }
  }

  /// Nil at the end of the file.
  public mutating func next() throws(FFmpegError) -> MediaPacket? {
    guard try demuxer.readPacket() else { return nil }
    let packet = UnsafePointer(demuxer.packet)
    let decode = demuxer.time(packet.pointee.dts) ?? demuxer.time(packet.pointee.pts) ?? nextTime
    let duration = packet.pointee.duration > 0 ? demuxer.length(packet.pointee.duration) : usualDuration
    nextTime = decode + duration
    return MediaPacket(
      track: track.kind, decodeTime: decode, presentationTime: demuxer.time(packet.pointee.pts) ?? decode,
      duration: duration, isKeyframe: packet.isKeyframe, bytes: payload(packet.bytes.span))
  }

  private var usualDuration: MediaTime {
    switch track.format {
    case .video(let format): format.frameRate.frameDuration
    case .audio: .zero
    }
  }

  public mutating func rewind() throws(FFmpegError) {
    try demuxer.rewind()
    nextTime = .zero
  }

  private func payload(_ bytes: borrowing Span<UInt8>) -> [UInt8] {
    isAnnexB ? track.codec.packetBytes(annexB: bytes) : bytes.withUnsafeBufferPointer { Array($0) }
  }
}
