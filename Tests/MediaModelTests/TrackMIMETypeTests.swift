import HoldfastMediaModel
import Testing

@Suite struct TrackMIMETypeTests {
  private static let video = Track.Format.video(
    VideoFormat(size: PictureSize(width: 1280, height: 720), frameRate: .thirty))
  private static let audio = Track.Format.audio(AudioFormat(sampleRate: 48_000, channels: 2))

  @Test(
    arguments: [
      (.h264, [1, 0x64, 0x00, 0x1F, 0xFF], "avc1.64001F"), (.h264, [1, 66, 0xC0, 10], "avc1.42C00A"),
      (.hevc, [1, 0x01, 0x60, 0, 0, 0, 0xB0, 0, 0, 0, 0, 0, 93, 0], "hev1.1.6.L93.B0"),
      (.hevc, [1, 0x22, 0x20, 0, 0, 0, 0x90, 0, 0, 0, 0, 0, 120, 0], "hev1.2.4.H120.90"),
      (.hevc, [1], "hev1"),
      (.av1, [0x81, 0x04, 0x0C, 0], "av01.0.04M.08"), (.av1, [0x81, 0x28, 0xCC, 0], "av01.1.08H.10"),
      (.av1, [0x0A, 4, 0, 0, 0, 0x46], "av01.0.08H.08"), (.av1, [0x0A, 4], "av01"),
      (.aac, [0x11, 0x90], "mp4a.40.2"), (.aac, [0xF8, 0xE0], "mp4a.40.39"), (.opus, [], "opus"),
    ] as [(Codec, [UInt8], String)])
  func `a track is called as browsers know its codec`(codec: Codec, headers: [UInt8], name: String) {
    let format = codec.kind == .video ? Self.video : Self.audio
    #expect(Track(codec: codec, format: format, headers: headers, bitrate: 0).mimeCodec == name)
  }
}
