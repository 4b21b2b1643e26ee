import HoldfastCapture
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastPublishing
import TestSupport
import Testing

@testable import HoldfastBroadcasting

private func changed(_ change: (inout Configuration) -> Void) -> Configuration {
  var configuration = Configuration()
  change(&configuration)
  return configuration
}

@Suite struct ConfigurationTests {
  @Test(arguments: ["a", "A-1._", "9", String(repeating: "x", count: 64)])
  func `names that fit in file names are accepted, like the default configuration`(name: String) throws {
    try Configuration().validate()
    try changed { $0.name = name }.validate()
  }

  @Test(arguments: [
    "", ".", "..", "-a", "_a", "a b", "a/b", "ä", "a\n", "a\0", String(repeating: "x", count: 65),
  ])
  func `names that don't fit in file names are rejected`(name: String) {
    #expect(refused { $0.name = name } == [.name])
  }

  @Test(arguments: [
    (64, 64, true), (7680, 7680, true), (1280, 720, true), (62, 64, false), (64, 62, false),
    (7682, 64, false), (65, 64, false), (64, 65, false), (0, 0, false), (-64, 64, false),
  ])
  func `picture sizes must be even and within bounds`(width: Int, height: Int, isRight: Bool) {
    let found = refused { $0.video.size = PictureSize(width: width, height: height) }
    #expect(found == (isRight ? nil : [.size]))
  }

  /// A setting with right and wrong numbers.
  struct Bounds: Sendable, CustomTestStringConvertible {
    let setting: Configuration.Setting
    let right: [Int64]
    let wrong: [Int64]
    let change: @Sendable (inout Configuration, Int64) -> Void
    var testDescription: String { "\(setting)" }

    init(
      _ setting: Configuration.Setting, _ right: [Int64], _ wrong: [Int64],
      change: @escaping @Sendable (inout Configuration, Int64) -> Void
    ) { (self.setting, self.right, self.wrong, self.change) = (setting, right, wrong, change) }
  }

  @Test(arguments: [
    Bounds(.fps, [100, 24_000, 2997], [50, 24_050]) {
      $0.video.frameRate = FrameRate(numerator: Int($1), denominator: 100) ?? .thirty
    },
    Bounds(.bitrate, [50_000, 200_000_000], [49_999, 200_000_001, -1]) { $0.video.bitrate = Int($1) },
    Bounds(.audioBitrate, [16_000, 510_000], [15_999, 510_001]) { $0.audio.bitrate = Int($1) },
    Bounds(.gop, [1, 60_000_000_000], [0, -1, 60_000_000_001]) { $0.video.gop = MediaTime(nanoseconds: $1) },
    Bounds(.duration, [1], [0]) { $0.session.duration = MediaTime(nanoseconds: $1) },
  ])
  func `numbers must be within bounds`(bounds: Bounds) {
    #expect(bounds.right.filter { value in refused { bounds.change(&$0, value) } != nil } == [])
    let wrong = bounds.wrong.map { value in refused { bounds.change(&$0, value) } }
    #expect(wrong == bounds.wrong.map { _ in [bounds.setting] })
  }

  @Test(
    arguments: [
      (1, nil, .automatic, true), (2, nil, .automatic, true), (1, nil, .never, false),
      (2, nil, .always, true),
      (2, .always, .automatic, true), (1, .never, .automatic, false), (2, .automatic, .always, true),
    ] as [(Int, BitrateAdaptation?, BitrateAdaptation, Bool)])
  func `an output's bitrate is adapted unless that is not wanted`(
    outputs: Int, own: BitrateAdaptation?, common: BitrateAdaptation, lowers: Bool
  ) throws {
    var request = OutputRequest(address: try OutputAddress("rtmp://host/app/key"))
    request.bitrateAdaptation = own
    let configuration = changed {
      $0.recording.directory = "recordings"
      $0.outputs.bitrateAdaptation = common
      $0.outputs.requests = Array(repeating: request, count: outputs)
    }
    let limits = BitrateController.Limits(lowest: 500_000, highest: 2_500_000)
    #expect(configuration.outputSettings.allSatisfy { $0.bitrates == (lowers ? limits : nil) })
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

  /// The settings that don't fit then.
  typealias Combination = ConfigurationChange<[Configuration.Setting]?>

  @Test(arguments: [
    Combination("a video codec must fit", [.videoCodec]) { $0.video.codec = .aac },
    Combination("an audio codec must fit", [.audioCodec]) { $0.audio.codec = .h264 },
    Combination("a copied test signal", [.encoder, .video]) {
      ($0.video.encoder, $0.video.source) = (.copy, .test)
    },
    Combination("a copied file", nil) { ($0.video.encoder, $0.video.source) = (.copy, .file("a.mp4")) },
    Combination("a copied camera", nil) { ($0.video.encoder, $0.video.source) = (.copy, .device(nil)) },
    Combination("no sources", [.video, .audio]) { ($0.video.source, $0.audio.source) = (.off, .off) },
    Combination("sound alone will do", nil) { $0.video.source = .off },
    Combination("pictures alone will do", nil) { $0.audio.source = .off },
    Combination("no destinations", [.record]) { $0.recording.directory = nil },
    Combination("test signals are not looped", [.loop]) { $0.loop = true },
  ])
  func `what does not go together is rejected`(combination: Combination) {
    #expect(refused(combination.apply) == combination.outcome)
  }

  @Test(arguments: [(VideoSelection.file("a"), AudioSelection.off), (.off, .file("b")), (.test, .file("b"))])
  func `only files can be looped`(video: VideoSelection, audio: AudioSelection) {
    #expect(refused { ($0.video.source, $0.audio.source, $0.loop) = (video, audio, true) } == nil)
  }

  @Test func `a configuration error names the settings, the fault and the remedy`() {
    let error = ConfigurationError(settings: [.video, .audio], what: "no", hint: "go")
    #expect(error.description == "video and audio: no; go")
  }

  private func refused(_ change: (inout Configuration) -> Void) -> [Configuration.Setting]? {
    failure { () throws(ConfigurationError) in try changed(change).validate() }?.settings
  }
}

@Suite struct SelectionTests {
  @Test(
    arguments: [
      ("off", .off), ("camera", .device(nil)),
      ("camera:/dev/video0", .device("/dev/video0")), ("camera:a:b", .device("a:b")), ("test", .test),
      ("file:a b.mp4", .file("a b.mp4")), ("file:off", .file("off")),
      ("screen", .screen(ScreenSelection())), ("screen::0", .screen(ScreenSelection(display: ":0"))),
    ] as [(String, VideoSelection)])
  func `video sources are read and written`(text: String, source: VideoSelection) {
    #expect((VideoSelection(text), source.description) == (source, text))
  }

  @Test func `the output at a session trusts the authority of its hub, or else that of all outputs`() throws {
    var configuration = Configuration()
    configuration.outputs.tlsCA = "outputs.pem"
    configuration.addSessionOutputs(at: "hub.lan", trusting: "hub.pem")
    #expect(configuration.outputSettings.map(\.tls.caFile) == ["hub.pem"])
    configuration.outputs.requests = []
    configuration.addSessionOutputs(at: "hub.lan", trusting: nil)
    #expect(configuration.outputSettings.map(\.tls.caFile) == ["outputs.pem"])
  }

  @Test
  func `a small output at a session has its rendition, its own name, and the ways of the main one`() throws {
    var (configuration, low) = (Configuration(), Rendition())
    (low.size, low.bitrate) = (PictureSize(width: 320, height: 180), 200_000)
    configuration.renditions = ["low": low]
    configuration.addSessionOutputs(at: "hub.lan", trusting: "hub.pem", small: "low")
    let outputs = configuration.outputSettings
    #expect(outputs.map(\.id) == ["session", "session-small"])
    #expect(outputs.allSatisfy { $0.awaitsAddress && !$0.acceptsRefusals && $0.publishType == .live })
    #expect(outputs.map(\.tls.caFile) == ["hub.pem", "hub.pem"])
    #expect(configuration.videoBitrate(of: "session-small") == 200_000)
    #expect(configuration.videoBitrate(of: "session") == configuration.video.bitrate)
    configuration.outputs.requests = []
    configuration.addSessionOutputs(at: "hub.lan", trusting: nil, small: "gone")
    #expect(configuration.outputSettings.map(\.id) == ["session"])
  }

  @Test(
    arguments: [
      ("off", .off), ("mic", .device(nil)), ("mic:hw:1,0", .device("hw:1,0")),
      ("tone", .test), ("file:a.wav", .file("a.wav")),
    ] as [(String, AudioSelection)])
  func `audio sources are read and written`(text: String, source: AudioSelection) {
    #expect((AudioSelection(text), source.description) == (source, text))
  }

  @Test(arguments: [
    "", ":", "camera:", "screen:", "screen+1", "file", "file:", "test:1", "off:", "auto:x", "Camera", " test",
    "mic", "x",
  ])
  func `invalid video sources are rejected`(text: String) {
    #expect(VideoSelection(text) == nil)
  }

  @Test(arguments: ["", "mic:", "file", "screen", "screen::0", "tone:440", "camera", "test", "off:x"])
  func `invalid audio sources are rejected`(text: String) { #expect(AudioSelection(text) == nil) }
}
