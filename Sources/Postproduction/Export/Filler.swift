import HoldfastFFmpeg
import HoldfastMediaModel

/// Black pictures or silence in the format of a track: a few packets that are repeated.
struct Filler: Sendable {
  let duration: MediaTime
  let headers: [UInt8]
  private let packets: [MediaPacket]

  /// `usual` is the usual duration of the track's packets.
  init(_ track: Track, usual: MediaTime) throws(FFmpegError) {
    duration = usual
    switch track.format {
    case .video(let format): (packets, headers) = try Self.black(track, format, usual)
    case .audio(let format): (packets, headers) = (try Self.silence(track, format), track.headers)
    }
  }

  /// Packet `index` of a filler that begins at `start` with a keyframe.
  func packet(_ index: Int, from start: MediaTime) -> MediaPacket {
    var packet = packets[index % packets.count]
    packet.decodeTime = start + MediaTime(nanoseconds: duration.nanoseconds * Int64(index))
    packet.presentationTime = packet.decodeTime
    packet.duration = duration
    return packet
  }

  /// Number of packets that fill `length`; rounded down for sound, which must not overlap.
  func count(in length: MediaTime) -> Int {
    let count = Double(length.nanoseconds) / Double(max(1, duration.nanoseconds))
    return max(0, Int((packets[0].track == .video ? count.rounded() : (count + 0.01).rounded(.down))))
  }

  /// Two GOPs, as consecutive H.264 IDR pictures must have different ids.
  private static func black(
    _ track: Track, _ format: VideoFormat, _ usual: MediaTime
  ) throws(FFmpegError) -> ([MediaPacket], [UInt8]) {
    let group = max(1, Int((2 / max(0.001, usual.seconds)).rounded()))
    var encoder = try VideoEncoder(.software, try settings(track, format, usual), source: .yuv420p)
    let picture = try Frame(black: format.size, format: encoder.pixelFormat)
    var packets: [MediaPacket] = []
    for index in 0..<2 * group {
      let time = MediaTime(nanoseconds: usual.nanoseconds * Int64(index))
      packets += try encoder.encode(try picture.reference(), at: time, isKeyframeForced: index % group == 0)
    }
    packets += try encoder.finish()
    guard packets.count == 2 * group, packets[0].isKeyframe, packets[group].isKeyframe else {
      throw FFmpegError.unfilled("black pictures")
    }
    return (packets, encoder.track?.headers ?? track.headers)
  }

  /// Searches for settings that reproduce the track's headers, so that the stream needs no others. They
  /// depend on bit rate and frame rate, which are not recorded.
  private static func settings(
    _ track: Track, _ format: VideoFormat, _ usual: MediaTime
  ) throws(FFmpegError) -> VideoEncoder.Settings {
    let first = bitrate(of: track, else: 1_000_000)
    let rate = FrameRate(nearest: usual) ?? format.frameRate
    for rate in rate == format.frameRate ? [rate] : [rate, format.frameRate] {
      for bitrate in [first] + bitrates {
        let settings = VideoEncoder.Settings(
          codec: track.codec, format: VideoFormat(size: format.size, frameRate: rate), bitrate: bitrate,
          keyframeInterval: .seconds(4))
        let headers = try VideoEncoder(.software, settings, source: .yuv420p).track?.headers
        if headers == track.headers { return settings }
        // An encoder with headers in-band only cannot be compared.
        guard let headers, track.codec.parameterSets(headers: headers) != nil else { return settings }
      }
    }
    return VideoEncoder.Settings(
      codec: track.codec, format: VideoFormat(size: format.size, frameRate: rate), bitrate: first,
      keyframeInterval: .seconds(4))
  }

  /// What the file says, if that is plausible: a wrong time in it may make it next to nothing.
  private static func bitrate(of track: Track, else usual: Int) -> Int {
    (8_000...200_000_000).contains(track.bitrate) ? track.bitrate : usual
  }

  /// One for each range with its own level.
  private static let bitrates = [
    60_000, 150_000, 300_000, 500_000, 1_000_000, 1_800_000, 2_500_000, 4_000_000, 6_000_000, 12_000_000,
    18_000_000, 24_000_000, 40_000_000,
  ]

  /// One packet of silence, after the encoder's start.
  private static func silence(_ track: Track, _ format: AudioFormat) throws(FFmpegError) -> [MediaPacket] {
    var encoder = try AudioEncoder(
      track.codec, format: format, bitrate: bitrate(of: track, else: 64_000 * format.channels))
    let packets = try encoder.encode([Float](repeating: 0, count: format.sampleRate / 2 * format.channels))
    guard let last = packets.last else { throw FFmpegError.unfilled("silence") }
    return [last]
  }
}

extension FrameRate {
  /// The frame rate of pictures that last `duration`, rounded to a thousandth.
  fileprivate init?(nearest duration: MediaTime) {
    let thousandths = Int((1000 / max(0.001, duration.seconds)).rounded())
    let rest = String(thousandths % 1000)
    self.init("\(thousandths / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest)
  }
}

extension FFmpegError {
  fileprivate static func unfilled(_ what: String) -> FFmpegError {
    FFmpegError(operation: "encoding \(what)", code: -1)
  }
}
