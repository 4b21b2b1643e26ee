import HoldfastBroadcasting
import HoldfastMediaModel
import HoldfastMixing
import Testing

@testable import HoldfastBroadcastCommands
@testable import HoldfastCommands

@Suite struct TileOptionTests {
  private func tiles(
    _ arguments: [String], variables: [String: String] = [:], file: String? = nil
  ) throws -> Configuration.Programme {
    try read(arguments + ["--video", "grid"], variables: variables, file: file).broadcast.programme
  }

  @Test func `tiles are read from repeated flags, a variable of several lines, and a list in the file`()
    throws
  {
    let (one, other) = ("Hall=test", "Große Halle=rtsp://camera/1")
    let expected = try [one, other].map { try TileRequest($0) }
    #expect(try tiles(["--tile", one, "--tile=\(other)", "--audio", "off"]).tiles == expected)
    let variables = ["HOLDFAST_TILE": "\(one)\n\(other)"]
    #expect(try tiles(["--audio", "off"], variables: variables).tiles == expected)
    #expect(try tiles(["--audio", "off"], file: "{ tile: ['\(one)', '\(other)'] }").tiles == expected)
  }

  @Test func `flags replace the tiles of the file`() throws {
    let tiles = try tiles(["--tile", "A=test"], file: "{ tile: ['B=test', 'C=test'] }").tiles
    #expect(tiles.map(\.name) == ["A"])
  }

  @Test func `a source's password may come from a variable`() throws {
    let source = "rtsp://user:word@camera/1"
    let tile = try tiles(["--tile", "Hall=env:CAMERA"], variables: ["CAMERA": source]).tiles.first
    #expect(try tile == TileRequest("Hall=\(source)") && tile?.description == "Hall=rtsp://camera/***")
  }

  @Test func `a spotlight is read with its tile`() throws {
    #expect(try tiles(["--tile", "A=test", "--tile", "B=test", "--spotlight", "B"]).spotlight == "B")
  }

  private static let wrongTiles: KeyValuePairs<[String], String> = [
    ["--video", "grid"]: "--video grid: the grid has no tiles; add some, each as NAME=SOURCE",
    ["--tile", "A=test"]:
      "--tile A=test: tiles are only used by the source grid; choose grid as the video or the audio, or both",
    ["--video", "grid", "--tile", "A"]:
      "--tile A: a tile needs a name and a source; write NAME=SOURCE, as in Hall=camera",
    ["--video", "grid", "--tile", "A=test", "--tile", "A=camera"]:
      "--tile A=camera: two tiles are called A; give one of them another name",
    ["--video", "grid", "--tile", "A=test", "--spotlight", "B"]:
      "--spotlight B: there is no tile B with a picture; use the name of a tile",
    ["--video", "grid", "--tile", "A=test", "--layout", "gird"]:
      "--layout gird: not one of grid, spotlight, picture-in-picture or side-by-side; did you mean grid?",
  ]

  @Test(arguments: wrongTiles.map { ($0, $1) })
  func `what is wrong is said with a remedy`(arguments: [String], text: String) {
    #expect(refusal(of: arguments)?.description == text)
  }
}
