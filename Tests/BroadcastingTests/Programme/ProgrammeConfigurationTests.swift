import HoldfastMediaModel
import HoldfastMixing
import TestSupport
import Testing

@testable import HoldfastBroadcasting

@Suite struct TileRequestTests {
  @Test(arguments: [
    ("Hall=camera", "camera", "off"), ("Hall=camera:/dev/video2", "camera:/dev/video2", "off"),
    ("Hall=mic:hw:1,0", "off", "mic:hw:1,0"), ("Hall=tone", "off", "tone"), ("Hall=test", "test", "tone"),
    ("Hall=screen", "screen", "off"), ("Hall=file:/a=b.mp4", "file:/a=b.mp4", "file:/a=b.mp4"),
    ("Hall=rtmp://host/live/key", "rtmp://host/***", "rtmp://host/***"),
    ("Große Halle, links=rtmp://a/b/c", "rtmp://a/***", "rtmp://a/***"),
  ])
  func `a source gives the tracks that it has, under any printable name`(
    text: String, video: String, audio: String
  ) throws {
    let request = try TileRequest(text)
    #expect("\(request.name)=" == text.prefix { $0 != "=" } + "=")
    #expect((request.video.description, request.audio.description) == (video, audio))
  }

  @Test(arguments: [
    ("Hall", "NAME=SOURCE"), ("=camera", "1 to 64"), (" =camera", "1 to 64"), ("none=test", "1 to 64"),
    ("a\u{7}b=test", "1 to 64"), ("\(String(repeating: "x", count: 65))=test", "1 to 64"),
    (" a=test", "1 to 64"), ("Hall=", "use camera"), ("Hall=off", "use camera"), ("Hall=grid", "use camera"),
    ("Hall=kamera", "use camera"), ("Hall=ftp://host/x", ""), ("Hall=file:", "use camera"),
  ])
  func `what is wrong is said`(text: String, hint: String) {
    let error = #expect(throws: InvalidValue.self) { try TileRequest(text) }
    #expect(error?.description.contains(hint) == true, "\(error?.description ?? "")")
  }
}

@Suite struct ProgrammeValidationTests {
  /// Tiles of a programme, and what is wrong with them.
  struct Tried: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let problem: @Sendable () throws -> String?

    init(
      _ title: String, _ tiles: [String], _ video: VideoSelection = .grid, _ audio: AudioSelection = .grid,
      change: @escaping @Sendable (inout Configuration) -> Void = { _ in }
    ) {
      testDescription = title
      problem = {
        var configuration = Configuration()
        (configuration.video.source, configuration.audio.source) = (video, audio)
        configuration.programme.tiles = try tiles.map { try TileRequest($0) }
        change(&configuration)
        return failure { () throws(ConfigurationError) in try configuration.validate() }?.description
      }
    }
  }

  private static let hall = "https://hub/Hall"

  @Test(
    arguments: [
      (Tried("tiles and a grid", ["A=test", "B=camera"]), nil),
      (Tried("a grid without sound", ["A=test", "B=test"], .grid, .off), nil),
      (Tried("tiles of a server", ["A=rtmp://h/live/a", "B=rtmp://h/live/b"]), nil),
      (Tried("a grid of sound", ["A=test"], .device(nil)), nil),
      (Tried("no tiles", []), "the grid has no tiles"),
      (Tried("no grid", ["A=test"], .test, .test), "only used by the source grid"),
      (Tried("one name", ["A=test", "A=camera"]), "two tiles are called A"),
      (Tried("one address", ["A=rtmp://h/a/b", "B=rtmp://h/a/b"]), "two tiles have the source"),
      (Tried("one camera", ["A=camera", "B=camera"]), "two tiles have the source"),
      (Tried("no picture", ["A=tone"]), "no tile has a picture"),
      (Tried("no sound", ["A=camera"]), "no tile has sound"),
      (Tried("too many", (0...16).map { "\($0)=test" }), "too many tiles"),
      (Tried("a spotlight is a tile", ["A=test"]) { $0.programme.spotlight = "A" }, nil),
      (Tried("a spotlight on nobody", ["A=test"]) { $0.programme.spotlight = "B" }, "no tile B"),
      (Tried("a spotlight on sound", ["A=test", "B=tone"]) { $0.programme.spotlight = "B" }, "no tile B"),
      (Tried("a long transition", ["A=test"]) { $0.programme.transition = .seconds(6) }, "0 to 5s"),
      (Tried("a stage", [], .stage(hall), .stage(hall)), nil),
      (Tried("a stage without its sound", [], .stage(hall), .test), nil),
      (Tried("two stages", [], .stage(hall), .stage("https://hub/Other")), "of two sessions"),
      (Tried("a stage and a grid", ["A=test"], .stage(hall), .grid), "can't be mixed"),
      (Tried("a stage with tiles", ["A=test"], .stage(hall), .stage(hall)), "only used by"),
      (Tried("a copied grid", ["A=test"]) { $0.video.encoder = .copy }, "nothing to copy"),
    ] as [(Tried, String?)])
  func `tiles that can't be composed are refused`(tried: Tried, what: String?) throws {
    let problem = try tried.problem()
    #expect(what.map { problem?.contains($0) == true } ?? (problem == nil), "\(problem ?? "nothing")")
  }

  @Test func `a stage is written as it is read`() {
    #expect(VideoSelection("stage:\(Self.hall)") == .stage(Self.hall))
    #expect(AudioSelection("stage:\(Self.hall)")?.description == "stage:\(Self.hall)")
  }
}

@Suite struct ProgrammeControlTests {
  private func control(_ layout: Layout = .grid) -> ProgrammeControl {
    var programme = Configuration.Programme()
    programme.layout = layout
    return ProgrammeControl(programme)
  }

  @Test func `a spotlight turns a grid into one and back, and another layout keeps its way`() throws {
    var control = control()
    #expect(control.change { $0.spotlight = "A" } == [.layout(.spotlight, spotlight: "A")])
    #expect(control.current.shownLayout == .spotlight)
    #expect(control.change { $0.spotlight = nil } == [.layout(.grid, spotlight: nil)])
    control = self.control(.pictureInPicture)
    #expect(control.change { $0.spotlight = "A" } == [.layout(.pictureInPicture, spotlight: "A")])
  }

  @Test func `what changes nothing is not reported`() {
    let control = control()
    #expect(control.change { $0.layout = .grid } == [])
    #expect(control.change { $0.mutedTiles = ["A", "B"] }.count == 2)
    #expect(control.change { $0.mutedTiles = ["B"] } == [.tileMute("A", isMuted: false)])
  }
}
