import HoldfastFFmpeg
import HoldfastMarks
import HoldfastMediaModel
import TestSupport
import Testing

@testable import HoldfastPostproduction
@testable import HoldfastRecording

/// Twelve seconds of pictures and sound with marks in them, and recordings of pieces of it.
struct MarkedMedia {
  let video: Track
  let audio: Track
  /// In decoding order; each has the time at which it was captured.
  let packets: [MediaPacket]

  static let size = PictureSize(width: 128, height: 96)
  static let seconds = 12.0
  /// Beeps are where no piece begins.
  private static let clockAhead = MediaTime.milliseconds(500)

  /// Each is made once.
  enum Kind: CaseIterable {
    case h264AAC, hevcOpus, av1AAC
    /// With the headers of other encoders' settings.
    case foreignH264, foreignHEVC

    func media() throws -> MarkedMedia {
      switch self {
      case .h264AAC: try MarkedMedia.h264AAC.get()
      case .hevcOpus: try MarkedMedia.hevcOpus.get()
      case .av1AAC: try MarkedMedia.av1AAC.get()
      case .foreignH264: try MarkedMedia.foreignH264.get()
      case .foreignHEVC: try MarkedMedia.foreignHEVC.get()
      }
    }
  }

  private static let h264AAC = Result { try encoded(.h264, .aac) }
  private static let hevcOpus = Result { try encoded(.hevc, .opus) }
  private static let av1AAC = Result { try encoded(.av1, .aac) }
  private static let foreignH264 = Result {
    try h264AAC.get().transcoded(["libx264", "-profile:v", "baseline"])
  }
  private static let foreignHEVC = Result {
    try h264AAC.get().transcoded([
      "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none:ctu=16:min-cu-size=16:bframes=0",
    ])
  }

  private static func encoded(_ codec: Codec, _ sound: Codec) throws -> MarkedMedia {
    let (pictures, video) = try Self.pictures(codec)
    let (sounds, audio) = try Self.sounds(sound)
    let packets = (pictures + sounds).sorted { $0.decodeTime < $1.decodeTime }
    return MarkedMedia(video: video, audio: audio, packets: packets)
  }

  private static func pictures(_ codec: Codec) throws -> ([MediaPacket], Track) {
    let rate = FrameRate.thirty
    var encoder = try VideoEncoder(
      .software,
      .init(
        codec: codec, format: VideoFormat(size: size, frameRate: rate), bitrate: 400_000,
        keyframeInterval: .seconds(4)), source: .yuv420p)
    let layout = MarkLayout(size: size)
    var packets: [MediaPacket] = []
    for number in 0..<Int64(seconds * 30) {
      let time = rate.time(ofFrame: number)
      let frame = try Frame(black: size, format: encoder.pixelFormat)
      frame.withPlane(0) { bytes, bytesPerLine in
        var luma = bytes.bindMemory(to: UInt8.self).mutableSpan
        let mark = FrameMark(
          number: UInt32(number), captureTime: MonotonicTime(nanoseconds: 0) + time + clockAhead)
        layout?.draw(mark, into: &luma, bytesPerLine: bytesPerLine)
      }
      packets += try encoder.encode(frame, at: time, isKeyframeForced: number % 15 == 0)
    }
    packets += try encoder.finish()
    let track = encoder.track
    return (packets, try #require(track))
  }

  private static func sounds(_ codec: Codec) throws -> ([MediaPacket], Track) {
    let format = AudioFormat(sampleRate: 48_000, channels: 2)
    var encoder = try AudioEncoder(codec, format: format, bitrate: 96_000)
    let signal = ToneSignal(sampleRate: 48_000)
    let first = clockAhead.ticks(timescale: 48_000)
    let samples = (first..<first + Int64(seconds * 48_000)).flatMap {
      [signal.sample($0), signal.sample($0)]
    }
    return (try encoder.encode(samples), encoder.track)
  }

  /// The same pictures, encoded by FFmpeg's program.
  private func transcoded(_ encoder: [String]) throws -> MarkedMedia {
    let folder = ScratchFolder()
    try write([(0..<Self.seconds, 0)], to: folder.file("a.mp4"))
    let options = ["-an", "-g", "15", "-bf", "0", "-c:v"] + encoder + [folder.file("b.mp4")]
    try Tool.run(["ffmpeg", "-nostdin", "-v", "error", "-i", folder.file("a.mp4")] + options)
    var reader = try PacketReader(path: folder.file("b.mp4"), kind: .video)
    var packets = packets.filter { $0.track == .audio }
    while let packet = try reader.next() { packets.append(packet) }
    return MarkedMedia(
      video: reader.track, audio: audio, packets: packets.sorted { $0.decodeTime < $1.decodeTime })
  }

  /// A recording of pieces: what was captured in `from` lies at `at` seconds in it.
  func write(
    _ pieces: [(from: Range<Double>, at: Double)], to path: String, isFinished: Bool = true,
    only: TrackKind? = nil
  ) throws {
    let tracks = [video, audio].filter { only == nil || $0.kind == only }
    var writer = try FragmentWriter(path: path, tracks: tracks)
    for piece in pieces {
      let times = MediaTime(seconds: piece.from.lowerBound)..<MediaTime(seconds: piece.from.upperBound)
      let shift = MediaTime(seconds: piece.at - piece.from.lowerBound)
      for packet in packets where times.contains(packet.decodeTime + .milliseconds(1)) {
        guard only == nil || packet.track == only else { continue }
        try writer.write(packet.shifted(by: shift))
      }
    }
    if isFinished { try writer.finish() } else { try writer.flush() }
  }
}
