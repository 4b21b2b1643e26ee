internal import HoldfastFFmpeg
internal import HoldfastMediaModel

/// Black pictures or silence, in the form that a track has: a few packets that are shown again and again.
struct Filler: Sendable {
  /// How long each of them lasts.
  let duration: MediaTime
  /// What their decoder has to know.
  let headers: [UInt8]
  private let packets: [MediaPacket]

  /// What stands in for `track`, whose packets usually last for `usual`.
  init(_ track: Track, usual: MediaTime) throws(FFmpegError) {
    duration = usual
    switch track.format {
    case .video(let format): (packets, headers) = try Self.black(track, format, usual)
    case .audio(let format): (packets, headers) = (try Self.silence(track, format), track.headers)
    }
  }

  /// The packet number `index` of a stretch that begins at `start`. Every stretch begins with a keyframe.
  func packet(_ index: Int, from start: MediaTime) -> MediaPacket {
    var packet = packets[index % packets.count]
    packet.decodeTime = start + MediaTime(nanoseconds: duration.nanoseconds * Int64(index))
    packet.presentationTime = packet.decodeTime
    packet.duration = duration
    return packet
  }

  /// How many packets fill `length`. A picture may last longer or shorter, sound may not overlap.
  func count(in length: MediaTime) -> Int {
    let count = Double(length.nanoseconds) / Double(max(1, duration.nanoseconds))
    return max(0, Int((packets[0].track == .video ? count.rounded() : (count + 0.01).rounded(.down))))
  }

  /// Two groups of pictures: two keyframes of H.264 that follow each other have to be told apart.
  private static func black(
    _ track: Track, _ format: VideoFormat, _ usual: MediaTime
  ) throws(FFmpegError) -> ([MediaPacket], [UInt8]) {
    let group = max(1, Int((2 / max(0.001, usual.seconds)).rounded()))
    var encoder = try VideoEncoder(.software, try settings(track, format, usual), source: .yuv420p)
    let picture = try Frame(black: format.size, format: encoder.pixelFormat)
    var packets: [MediaPacket] = []
    for index in 0..<2 * group {
      let time = MediaTime(nanoseconds: usual.nanoseconds * Int64(index))
      packets += try encoder.encode(
        try picture.reference(), at: time, isKeyframeForced: index % group == 0)
    }
    packets += try encoder.finish()
    guard packets.count == 2 * group, packets[0].isKeyframe, packets[group].isKeyframe else {
      throw FFmpegError.unfilled("black pictures")
    }
    return (packets, encoder.track?.headers ?? track.headers)
  }

  /// Those by which the encoder makes the track's own headers, if there are any: then a decoder needn't be told of other
  /// ones. They depend on the rates, which nobody has written down.
  private static func settings(
    _ track: Track, _ format: VideoFormat, _ usual: MediaTime
  ) throws(FFmpegError) -> VideoEncoder.Settings {
    let first = track.bitrate > 0 ? track.bitrate : 1_000_000
    let rate = FrameRate(nearest: usual) ?? format.frameRate
    for rate in rate == format.frameRate ? [rate] : [rate, format.frameRate] {
      for bitrate in [first] + bitrates {
        let settings = VideoEncoder.Settings(
          codec: track.codec, format: VideoFormat(size: format.size, frameRate: rate), bitrate: bitrate,
          keyframeInterval: .seconds(4))
        let headers = try VideoEncoder(.software, settings, source: .yuv420p).track?.headers
        if headers == track.headers { return settings }
        // What says its headers with its pictures only can't be compared.
        guard let headers, track.codec.parameterSets(headers: headers) != nil else { return settings }
      }
    }
    return VideoEncoder.Settings(
      codec: track.codec, format: VideoFormat(size: format.size, frameRate: rate), bitrate: first,
      keyframeInterval: .seconds(4))
  }

  /// One from each range in which encoders say another level.
  private static let bitrates = [
    60_000, 150_000, 300_000, 500_000, 1_000_000, 1_800_000, 2_500_000, 4_000_000, 6_000_000, 12_000_000,
    18_000_000, 24_000_000, 40_000_000,
  ]

  /// One packet of what the encoder makes when it has been silent for a while.
  private static func silence(_ track: Track, _ format: AudioFormat) throws(FFmpegError) -> [MediaPacket] {
    var encoder = try AudioEncoder(
      track.codec, format: format, bitrate: track.bitrate > 0 ? track.bitrate : 64_000 * format.channels)
    let packets = try encoder.encode(
      [Float](repeating: 0, count: format.sampleRate / 2 * format.channels))
    guard let last = packets.last else { throw FFmpegError.unfilled("silence") }
    return [last]
  }
}

extension FrameRate {
  /// A rate that is in use, whose pictures last for `duration`.
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
