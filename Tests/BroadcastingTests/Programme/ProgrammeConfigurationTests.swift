import HoldfastMediaModel
import HoldfastMixing
import Testing

@testable import HoldfastBroadcasting

@Suite struct TileRequestTests {
  @Test(arguments: [
    ("Hall=camera", "camera", "off"), ("Hall=camera:/dev/video2", "camera:/dev/video2", "off"),
    ("Hall=mic:hw:1,0", "off", "mic:hw:1,0"), ("Hall=tone", "off", "tone"), ("Hall=test", "test", "tone"),
    ("Hall=screen", "screen", "off"), ("Hall=file:/a=b.mp4", "file:/a=b.mp4", "file:/a=b.mp4"),
    ("Hall=rtmp://host/live/key", "rtmp://host/***", "rtmp://host/***"),
  ])
  func `a source gives the tracks that it has`(text: String, video: String, audio: String) throws {
    let request = try TileRequest(text)
    #expect(request.name == "Hall")
    #expect(request.video.description == video && request.audio.description == audio)
  }

  @Test func `any printable name will do`() throws {
    #expect(
      try TileRequest("Große Halle, links =rtmp://a/b/c".replacing(" =", with: "=")).name
        == "Große Halle, links")
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
  private func problem(
    _ tiles: [String], video: VideoSelection = .grid, audio: AudioSelection = .grid,
    _ change: (inout Configuration) -> Void = { _ in }
  ) throws -> String? {
    var configuration = Configuration()
    (configuration.video.source, configuration.audio.source) = (video, audio)
    configuration.programme.tiles = try tiles.map { try TileRequest($0) }
    change(&configuration)
    do {
      try configuration.validate()
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `tiles and the grid belong together`() throws {
    #expect(try problem(["A=test", "B=camera"]) == nil)
    #expect(try problem(["A=test", "B=test"], audio: .off) == nil)
    #expect(try problem(["A=rtmp://h/live/a", "B=rtmp://h/live/b"]) == nil)
    #expect(try problem(["A=test"], video: .device(nil), audio: .grid) == nil)
    #expect(try problem([])?.contains("the grid has no tiles") == true)
    #expect(
      try problem(["A=test"], video: .test, audio: .test)?.contains("only used by the source grid") == true)
  }

  @Test(arguments: [
    (["A=test", "A=camera"], "two tiles are called A"),
    (["A=rtmp://h/a/b", "B=rtmp://h/a/b"], "two tiles have the source"),
    (["A=camera", "B=camera"], "two tiles have the source"), (["A=tone"], "no tile has a picture"),
    (["A=camera"], "no tile has sound"), ((0...16).map { "\($0)=test" }, "too many tiles"),
  ])
  func `tiles that can't be composed are refused`(tiles: [String], what: String) throws {
    let problem = try problem(tiles)
    #expect(problem?.contains(what) == true, "\(problem ?? "nothing")")
  }

  @Test func `a spotlight is a tile with a picture, and a transition is short`() throws {
    #expect(try problem(["A=test"]) { $0.programme.spotlight = "A" } == nil)
    #expect(try problem(["A=test"]) { $0.programme.spotlight = "B" }?.contains("no tile B") == true)
    #expect(
      try problem(["A=test", "B=tone"]) { $0.programme.spotlight = "B" }?.contains("no tile B") == true)
    #expect(try problem(["A=test"]) { $0.programme.transition = .seconds(6) }?.contains("0 to 5s") == true)
  }

  @Test func `a stage is of one session, and has the tiles of that`() throws {
    let (hall, other) = ("https://hub/Hall", "https://hub/Other")
    #expect(VideoSelection("stage:\(hall)") == .stage(hall))
    #expect(AudioSelection("stage:\(hall)")?.description == "stage:\(hall)")
    #expect(try problem([], video: .stage(hall), audio: .stage(hall)) == nil)
    #expect(try problem([], video: .stage(hall), audio: .test) == nil)
    #expect(
      try problem([], video: .stage(hall), audio: .stage(other))?.contains("of two sessions") == true)
    #expect(try problem(["A=test"], video: .stage(hall), audio: .grid)?.contains("can't be mixed") == true)
    #expect(
      try problem(["A=test"], video: .stage(hall), audio: .stage(hall))?.contains("only used by") == true)
  }

  @Test func `a grid can't be copied`() throws {
    #expect(try problem(["A=test"]) { $0.video.encoder = .copy }?.contains("nothing to copy") == true)
  }
}

@Suite struct ProgrammeControlTests {
  private func control(_ layout: Layout = .grid) -> ProgrammeControl {
    var programme = Configuration.Programme()
    programme.layout = layout
    return ProgrammeControl(programme)
  }

  @Test func `a spotlight turns a grid into one, and none brings the grid back`() {
    let control = control()
    #expect(control.change { $0.spotlight = "A" } == [.layout(.spotlight, spotlight: "A")])
    #expect(control.current.shownLayout == .spotlight)
    #expect(control.change { $0.spotlight = nil } == [.layout(.grid, spotlight: nil)])
  }

  @Test func `a layout with a large tile keeps its own way`() {
    let control = control(.pictureInPicture)
    #expect(control.change { $0.spotlight = "A" } == [.layout(.pictureInPicture, spotlight: "A")])
  }

  @Test func `what changes nothing is not reported`() {
    let control = control()
    #expect(control.change { $0.layout = .grid } == [])
    #expect(control.change { $0.mutedTiles = ["A", "B"] }.count == 2)
    #expect(control.change { $0.mutedTiles = ["B"] } == [.tileMute("A", isMuted: false)])
  }
}
