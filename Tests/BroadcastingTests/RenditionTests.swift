import HoldfastMediaModel
import HoldfastPublishing
import TestSupport
import Testing

@testable import HoldfastBroadcasting

/// The encodes that a configuration asks for, and what is wrong with some.
@Suite struct RenditionTests {
  private func configuration(
    outputs: [String?], _ change: (inout Configuration) -> Void = { _ in }
  ) throws -> Configuration {
    var configuration = Configuration()
    configuration.renditions = ["low": Self.low]
    configuration.outputs.requests = try outputs.map { rendition in
      var request = OutputRequest(address: try OutputAddress("rtmp://host/app/key"))
      request.rendition = rendition
      return request
    }
    change(&configuration)
    return configuration
  }

  private static var low: Rendition {
    var low = Rendition()
    (low.size, low.bitrate) = (PictureSize(width: 640, height: 360), 500_000)
    return low
  }

  /// `main 1280x720 2500000: recording, rtmp-1`
  private func plan(_ configuration: Configuration) -> [String] {
    configuration.plannedRenditions.map {
      "\($0.id) \($0.size) \($0.bitrate): \($0.users.joined(separator: ", "))"
    }
  }

  @Test func `without renditions there is one encode for all`() throws {
    #expect(
      plan(try configuration(outputs: [nil, nil])) == ["main 1280x720 2500000: recording, rtmp-1, rtmp-2"])
  }

  @Test func `each rendition that somebody uses is one encode, the main one first`() throws {
    let configuration = try configuration(outputs: ["low", nil, "low"]) {
      $0.recording.rendition.bitrate = 6_000_000
    }
    #expect(
      plan(configuration) == [
        "main 1280x720 2500000: rtmp-2", "recording 1280x720 6000000: recording",
        "low 640x360 500000: rtmp-1, rtmp-3",
      ])
  }

  @Test func `what nobody uses is not encoded`() throws {
    let configuration = try configuration(outputs: ["low"]) { $0.recording.directory = nil }
    #expect(plan(configuration) == ["low 640x360 500000: rtmp-1"])
    #expect(configuration.capturedSize == PictureSize(width: 640, height: 360))
  }

  @Test func `equal encodes are one`() throws {
    let configuration = try configuration(outputs: [nil]) { $0.recording.rendition.bitrate = 2_500_000 }
    #expect(plan(configuration) == ["main 1280x720 2500000: recording, rtmp-1"])
  }

  @Test func `the source delivers the largest picture that is needed, also after a switch`() throws {
    let full = PictureSize(width: 1920, height: 1080)
    let configuration = try configuration(outputs: [nil]) { $0.recording.rendition.size = full }
    #expect(configuration.capturedSize == full && configuration.sources.capturedSize == full)
    #expect(configuration.with(sourcesOf: configuration.sources).capturedSize == full)
  }

  @Test func `a copied stream and a track that is off have no renditions`() throws {
    #expect(plan(try configuration(outputs: [nil]) { $0.video.encoder = .copy }) == [])
    #expect(plan(try configuration(outputs: [nil]) { $0.video.source = .off }) == [])
  }

  @Test func `an output's bitrate is at most that of its rendition`() throws {
    let limits = try configuration(outputs: [nil, "low"]).outputSettings.map(\.bitrates?.highest)
    #expect(limits == [2_500_000, 500_000])
  }

  @Test func `an output may have an encode of its own where it would lower what others see`() throws {
    let shared = { (outputs: [String?], change: (inout Configuration) -> Void) in
      try configuration(outputs: outputs, change).sharedBitrates
    }
    #expect(try shared([nil, "low"]) { _ in } == ["rtmp-1": 2_500_000])
    #expect(
      try shared([nil, nil]) { $0.recording.directory = nil } == ["rtmp-1": 2_500_000, "rtmp-2": 2_500_000])
    #expect(try shared([nil]) { $0.recording.directory = nil } == [:])
    #expect(try shared([nil]) { $0.recording.rendition.bitrate = 1_000_000 } == [:])
    #expect(try shared([nil]) { $0.outputs.bitrateAdaptation = .always } == [:])
    #expect(try shared([nil]) { $0.outputs.bitrateAdaptation = .never } == [:])
  }

  @Test func `any encoder may make an output's own encode`() throws {
    for change in [
      { _ in }, { $0.video.codec = .hevc }, { $0.video.codec = .av1 }, { $0.video.encoder = .vaapi },
    ] as [(inout Configuration) -> Void] {
      let configuration = try configuration(outputs: [nil], change)
      #expect(configuration.sharedBitrates == ["rtmp-1": 2_500_000])
      #expect(configuration.outputSettings.map(\.bitrates?.highest) == [2_500_000])
    }
  }

  typealias Adapted = ConfigurationChange<OutputAdaptation>

  @Test(arguments: [
    Adapted("by default", .shared) { _ in },
    Adapted("never", .off(why: "adaptive is false")) { $0.outputs.bitrateAdaptation = .never },
    Adapted("without pictures", .off(why: "there is no picture")) { $0.video.source = .off },
    Adapted("copied", .off(why: "a copied stream is not encoded here")) { $0.video.encoder = .copy },
    Adapted("alone", .all(why: "nobody shares its encode")) { $0.recording.directory = nil },
    Adapted("always", .all(why: "adaptive is true: its network may lower the encode of all who share it")) {
      $0.outputs.bitrateAdaptation = .always
    },
    Adapted("always, by VA-API", .off(why: "its encoder can't change the bitrate while running")) {
      ($0.outputs.bitrateAdaptation, $0.video.encoder) = (.always, .vaapi)
    },
    Adapted("alone, by VA-API", .off(why: "its encoder can't change the bitrate while running")) {
      ($0.recording.directory, $0.video.encoder) = (nil, .vaapi)
    },
  ])
  func `what a weak network leads to is known beforehand, with the reason`(adapted: Adapted) throws {
    let configuration = try configuration(outputs: [nil], adapted.apply)
    #expect(configuration.adaptations == ["rtmp-1": adapted.outcome])
    let isOff = if case .off = adapted.outcome { true } else { false }
    #expect((configuration.outputSettings[0].bitrates == nil) == isOff)
  }

  @Test func `an output chooses a rendition that there is`() throws {
    try configuration(outputs: ["low"]).validate()
    let error = #expect(throws: ConfigurationError.self) {
      try configuration(outputs: [nil, "lwo"]).validate()
    }
    #expect(error?.output == 1 && error?.settings == [.to, .renditions])
    #expect(error?.description.hasSuffix("there is no rendition lwo; did you mean low?") == true)
  }

  /// What is said of it, and the settings concerned.
  typealias Wrong = ConfigurationChange<[Configuration.Setting]>

  @Test(arguments: [
    Wrong("encoders require an even width and height", [.recordSize]) {
      $0.recording.rendition.size = PictureSize(width: 641, height: 360)
    },
    Wrong("out of range", [.recordBitrate]) { $0.recording.rendition.bitrate = 1 },
    Wrong("the rendition low: out of range", [.renditions]) { $0.renditions["low"]?.bitrate = 1 },
    Wrong("the rendition low: the picture is too small or too large", [.renditions]) {
      $0.renditions["low"]?.size = PictureSize(width: 2, height: 2)
    },
    Wrong("a b is not a plain name", [.renditions]) { $0.renditions["a b"] = Rendition() },
    Wrong("recording stands for a rendition of its own", [.renditions]) {
      $0.renditions["recording"] = Rendition()
    },
    Wrong("own-a stands for a rendition of its own", [.renditions]) { $0.renditions["own-a"] = Rendition() },
    Wrong("too many renditions", [.renditions]) {
      for number in 0..<8 { $0.renditions["r\(number)"] = Rendition() }
    },
    Wrong(
      "the recording can't be a copy: a camera's stream can be copied for everybody only", [.recordEncoder]
    ) { $0.recording.rendition.encoder = .copy },
    Wrong("x264 supports H.264 only, and the recording has the codec of all", [.recordEncoder, .videoCodec]) {
      ($0.video.codec, $0.recording.rendition.encoder) = (.hevc, .x264)
    },
    Wrong("a copied stream can't be had in another size or at another bitrate", [.encoder, .recordBitrate]) {
      $0.renditions = [:]
      $0.recording.rendition.bitrate = 1_000_000
      $0.video.encoder = .copy
    },
  ])
  func `a rendition that can't be is refused, with the settings concerned`(wrong: Wrong) throws {
    let error = #expect(throws: ConfigurationError.self) {
      try configuration(outputs: [nil], wrong.apply).validate()
    }
    #expect(error?.settings == wrong.outcome && error?.what == wrong.testDescription)
  }

  /// `low: low, tiny: tiny; main`
  private func live(_ configuration: Configuration) -> String {
    let live = configuration.liveRenditions
    let named = live.choices.map { "\($0.name): \($0.rendition) \($0.size)" }
    return "\(named.joined(separator: ", ")); \(live.standard)"
  }

  @Test
  func `viewers may choose any named rendition, and get what is encoded anyway where that is equal`() throws {
    #expect(live(try configuration(outputs: [nil])) == "low: low 640x360; main")
    #expect(live(try configuration(outputs: ["low"])) == "low: low 640x360; main")
    let same = try configuration(outputs: [nil]) {
      $0.renditions["copy"] = Self.low
      $0.renditions["plain"] = Rendition()
    }
    #expect(live(same) == "plain: main 1280x720, copy: copy 640x360, low: copy 640x360; main")
    #expect(same.liveRenditions.ids == [.main, .named("copy")])
    #expect(same.plannedRenditions.count == 1)
  }

  @Test func `of copied pictures and without pictures there is nothing to choose`() throws {
    let copied = try configuration(outputs: [nil]) { $0.video.encoder = .copy }
    #expect(live(copied) == "; main" && copied.liveRenditions.encodes.isEmpty)
    #expect(live(try configuration(outputs: [nil]) { $0.video.source = .off }) == "; main")
  }
}
