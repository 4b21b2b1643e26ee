import HoldfastMediaModel
import TestSupport
import Testing

@testable import HoldfastBroadcasting

private func changed(_ change: (inout Configuration) -> Void) -> Configuration {
  var configuration = Configuration()
  change(&configuration)
  return configuration
}

@Suite struct ConfigurationTests {
  @Test func `the defaults are right`() throws {
    try Configuration().validate()
  }

  @Test(arguments: ["a", "A-1._", "9", String(repeating: "x", count: 64)])
  func `names that can stand in file names are taken`(name: String) throws {
    try changed { $0.name = name }.validate()
  }

  @Test(arguments: [
    "", ".", "..", "-a", "_a", "a b", "a/b", "ä", "a\n", "a\0", String(repeating: "x", count: 65),
  ])
  func `other names are refused`(name: String) {
    #expect(refused { $0.name = name } == [.name])
  }

  @Test(arguments: [
    (64, 64, true), (7680, 7680, true), (1280, 720, true), (62, 64, false), (64, 62, false),
    (7682, 64, false), (65, 64, false), (64, 65, false), (0, 0, false), (-64, 64, false),
  ])
  func `sizes are even and within bounds`(width: Int, height: Int, isRight: Bool) {
    #expect(
      refused { $0.video.size = PictureSize(width: width, height: height) } == (isRight ? nil : [.size]))
  }

  @Test(arguments: [("1", true), ("240", true), ("29.97", true), ("0.5", false), ("240.5", false)])
  func `frame rates are within bounds`(text: String, isRight: Bool) throws {
    let rate = try #require(FrameRate(text))
    #expect(refused { $0.video.frameRate = rate } == (isRight ? nil : [.fps]))
  }

  @Test(arguments: [(49_999, false), (50_000, true), (200_000_000, true), (200_000_001, false), (-1, false)])
  func `the picture's bitrate is within bounds`(bitrate: Int, isRight: Bool) {
    #expect(refused { $0.video.bitrate = bitrate } == (isRight ? nil : [.bitrate]))
  }

  @Test(arguments: [(15_999, false), (16_000, true), (510_000, true), (510_001, false)])
  func `the sound's bitrate is within bounds`(bitrate: Int, isRight: Bool) {
    #expect(refused { $0.audio.bitrate = bitrate } == (isRight ? nil : [.audioBitrate]))
  }

  @Test(arguments: [(0, false), (-1, false), (1, true), (60_000_000_000, true), (60_000_000_001, false)])
  func `keyframes come at some distance`(nanoseconds: Int64, isRight: Bool) {
    #expect(refused { $0.video.gop = MediaTime(nanoseconds: nanoseconds) } == (isRight ? nil : [.gop]))
  }

  @Test func `a broadcast lasts longer than nothing`() {
    #expect(refused { $0.session.duration = .zero } == [.duration])
    #expect(refused { $0.session.duration = MediaTime(nanoseconds: 1) } == nil)
  }

  @Test func `codecs fit their track`() {
    #expect(refused { $0.video.codec = .aac } == [.videoCodec])
    #expect(refused { $0.audio.codec = .h264 } == [.audioCodec])
  }

  @Test(arguments: EncoderChoice.allCases)
  func `only some encoders make more than H.264`(encoder: EncoderChoice) {
    let makesAll = [.auto, .vaapi, .qsv, .nvenc, .copy].contains(encoder)
    for codec in [Codec.hevc, .av1] {
      let fault = refused { ($0.video.encoder, $0.video.codec) = (encoder, codec) }
      #expect(fault == (makesAll ? nil : [.encoder, .videoCodec]))
    }
    #expect(refused { $0.video.encoder = encoder } == nil)
  }

  @Test func `the test picture can't be copied, a file can`() {
    let copied = { (source: VideoSelection) in
      refused { ($0.video.encoder, $0.video.source) = (.copy, source) }
    }
    #expect(copied(.test) == [.encoder, .video])
    #expect(copied(.file("a.mp4")) == nil)
    #expect(copied(.device(nil)) == nil)
  }

  @Test func `something has to be left to do`() {
    #expect(refused { ($0.video.source, $0.audio.source) = (.off, .off) } == [.video, .audio])
    #expect(refused { $0.video.source = .off } == nil)
    #expect(refused { $0.audio.source = .off } == nil)
    #expect(refused { $0.recording.directory = nil } == [.record])
  }

  @Test(arguments: [(VideoSelection.file("a"), AudioSelection.off), (.off, .file("b")), (.test, .file("b"))])
  func `files begin again`(video: VideoSelection, audio: AudioSelection) {
    let fault = refused { ($0.video.source, $0.audio.source, $0.loop) = (video, audio, true) }
    #expect(fault == nil)
    #expect(refused { $0.loop = true } == [.loop])
  }

  @Test func `an error names the settings, why, and what to do`() {
    let error = ConfigurationError(settings: [.video, .audio], why: "no", remedy: "go")
    #expect(error.description == "video and audio: no; go")
  }

  private func refused(_ change: (inout Configuration) -> Void) -> [Configuration.Setting]? {
    failure { () throws(ConfigurationError) in try changed(change).validate() }?.settings
  }
}

@Suite struct SelectionTests {
  @Test(
    arguments: [
      ("auto", .automatic), ("off", .off), ("camera", .device(nil)),
      ("camera:/dev/video0", .device("/dev/video0")), ("camera:a:b", .device("a:b")), ("test", .test),
      ("file:a b.mp4", .file("a b.mp4")), ("file:off", .file("off")),
    ] as [(String, VideoSelection)])
  func `video sources are read and written`(text: String, source: VideoSelection) {
    #expect(VideoSelection(text) == source)
    #expect(source.description == text)
  }

  @Test(
    arguments: [
      ("auto", .automatic), ("off", .off), ("mic", .device(nil)), ("mic:hw:1,0", .device("hw:1,0")),
      ("tone", .test), ("file:a.wav", .file("a.wav")),
    ] as [(String, AudioSelection)])
  func `audio sources are read and written`(text: String, source: AudioSelection) {
    #expect(AudioSelection(text) == source)
    #expect(source.description == text)
  }

  @Test(arguments: [
    "", ":", "camera:", "file", "file:", "test:1", "off:", "auto:x", "Camera", " test", "mic", "x",
  ])
  func `other video sources are refused`(text: String) {
    #expect(VideoSelection(text) == nil)
  }

  @Test(arguments: ["", "mic:", "file", "tone:440", "camera", "test", "off:x"])
  func `other audio sources are refused`(text: String) {
    #expect(AudioSelection(text) == nil)
  }
}
