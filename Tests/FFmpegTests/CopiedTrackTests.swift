import Foundation
import HoldfastMediaModel
import TestSupport
import Testing

@testable import HoldfastFFmpeg

@Suite struct CopiedTrackTests {
  private let folder = ScratchFolder()

  /// A transport stream whose second second is larger, and at another sample rate.
  private func changingStream(_ encoder: String) throws -> String {
    var stream = Data()
    for (second, (size, rate)) in [("320x180", "48000"), ("640x360", "44100")].enumerated() {
      let part = folder.file("\(second).ts")
      try Tool.run([
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=\(size):rate=25", "-f", "lavfi", "-i",
        "sine=sample_rate=\(rate)", "-t", "1", "-pix_fmt", "yuv420p", "-c:v", encoder, "-preset", "ultrafast",
        "-g", "25", "-bf", "0", "-x265-params", "log-level=none", "-c:a", "aac", "-ac", "2", "-ar", rate,
        "-output_ts_offset", "\(second)", "-f", "mpegts", part,
      ])
      stream += try Data(contentsOf: URL(fileURLWithPath: part))
    }
    let path = folder.file("stream.ts")
    try stream.write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test(arguments: [("libx264", Codec.h264), ("libx265", .hevc)])
  func `other headers within a transport stream begin another track, with its own format`(
    encoder: String, codec: Codec
  ) throws {
    var input = try NetworkInput(
      .init(url: "file:" + changingStream(encoder), protocols: ["file"], formats: ["mpegts"])
    ) { false }
    var tracks = try input.streams.mapValues { [try $0.copied()] }
    while let packet = try input.next() {
      let (kind, isKeyframe) = (packet.track.kind, packet.isKeyframe)
      guard let new = try tracks[kind]?.last?.beginning(with: packet) else { continue }
      #expect(kind == .audio || isKeyframe)
      tracks[kind]?.append(new)
    }
    let pictures = try #require(tracks[.video]).map(\.track)
    let sizes = pictures.compactMap { if case .video(let format) = $0.format { format.size } else { nil } }
    #expect(sizes == [PictureSize(width: 320, height: 180), PictureSize(width: 640, height: 360)])
    #expect(pictures.allSatisfy { $0.codec == codec } && pictures[0].headers != pictures[1].headers)
    let sounds = try #require(tracks[.audio]).map(\.track)
    #expect(sounds.map(\.headers) == [[0x11, 0x90], [0x12, 0x10]])
    #expect(
      sounds.map(\.format)
        == [48_000, 44_100].map { Track.Format.audio(AudioFormat(sampleRate: $0, channels: 2)) })
  }
}
