import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastMixing
import TestTraits
import Testing

@testable import HoldfastBroadcasting

extension Mixer.Settings {
  /// Of a programme of 640x360 pixels.
  init(_ change: (inout Configuration.Programme) -> Void = { _ in }) {
    var programme = Configuration.Programme()
    change(&programme)
    self.init(
      programme: programme,
      format: VideoFormat(size: PictureSize(width: 640, height: 360), frameRate: .thirty),
      control: ProgrammeControl(programme), note: { _ in })
  }
}

/// A programme of some tiles, and what is painted of them.
private struct PaintedProgramme: ~Copyable {
  let settings: Mixer.Settings
  let tiles: [TileState]
  var director: Director
  var painter: ProgrammePainter

  init(tiles count: Int, _ change: (inout Configuration.Programme) -> Void = { _ in }) {
    settings = Mixer.Settings(change)
    tiles = (0..<count).map { TileState("tile \($0)", number: $0, tracks: [.video, .audio], sound: nil) }
    director = Director(settings)
    painter = ProgrammePainter(settings)
  }

  /// The tiles of these numbers; nil for all.
  func lineup(_ numbers: [Int]? = nil) -> Lineup {
    let shown = numbers.map { $0.map { tiles[$0] } } ?? tiles
    return Lineup(places: shown.map { Lineup.Seat(tile: $0, name: $0.name) })
  }

  mutating func scene(at milliseconds: Int64) -> Scene {
    director.scene(of: lineup(), at: .milliseconds(milliseconds))
  }

  mutating func picture(_ numbers: [Int]? = nil, at milliseconds: Int64) throws -> Frame {
    let lineup = lineup(numbers)
    return try painter.paint(
      director.scene(of: lineup, at: .milliseconds(milliseconds)), of: lineup.tilesByNumber)
  }
}

@Suite(.computing) struct ProgrammePainterTests {
  private func show(
    _ luma: UInt8, _ size: PictureSize = PictureSize(width: 320, height: 180), on tile: TileState
  ) throws {
    let frame = try Frame(black: size, format: .yuv420p)
    frame.fill(PictureArea(x: 0, y: 0, size: size), luma: luma)
    tile.show(frame)
    _ = tile.handle(.opened(.video, summary: ""), of: .video)
  }

  private func luma(_ frame: borrowing Frame, _ x: Int, _ y: Int) -> UInt8 {
    frame.withPlane(0) { bytes, stride in bytes[y * stride + x] }
  }

  private func pixels(_ frame: borrowing Frame) -> [UInt8] {
    frame.withPlane(0) { bytes, stride in
      (0..<360).flatMap { Array(bytes[$0 * stride..<$0 * stride + 640]) }
    }
  }

  @Test func `each tile shows its newest picture`() throws {
    var programme = PaintedProgramme(tiles: 4)
    for round in UInt8(0)..<20 {
      for (index, tile) in programme.tiles.enumerated() where round % (UInt8(index) + 1) == 0 {
        try show(50 + 40 * UInt8(index) + round, on: tile)
      }
      let picture = try programme.picture(at: 33 * Int64(round))
      for (index, (x, y)) in [(160, 90), (480, 90), (160, 270), (480, 270)].enumerated() {
        let shown = round - round % (UInt8(index) + 1)
        #expect(luma(picture, x, y) == 50 + 40 * UInt8(index) + shown)
      }
    }
  }

  @Test func `a picture that changes nothing is the same picture`() throws {
    var programme = PaintedProgramme(tiles: 2)
    for tile in programme.tiles { try show(100, on: tile) }
    let first = try programme.picture(at: 0)
    let second = try programme.picture(at: 33)
    #expect(
      first.withPlane(0) { bytes, _ in bytes.baseAddress }
        == second.withPlane(0) { bytes, _ in bytes.baseAddress })
    try show(120, on: programme.tiles[0])
    let third = try programme.picture(at: 66)
    #expect(luma(first, 160, 180) == 100 && luma(third, 160, 180) == 120 && luma(third, 480, 180) == 100)
  }

  @Test func `a picture of another size or shape is just another picture, between bars`() throws {
    var programme = PaintedProgramme(tiles: 1)
    try show(100, PictureSize(width: 1280, height: 720), on: programme.tiles[0])
    let wide = try programme.picture(at: 0)
    try show(110, PictureSize(width: 176, height: 144), on: programme.tiles[0])
    let narrow = try programme.picture(at: 33)
    #expect(luma(wide, 2, 180) == 100)
    #expect(luma(narrow, 2, 180) == 20 && luma(narrow, 320, 180) == 110)
  }

  @Test func `a cropped picture fills its tile`() throws {
    var programme = PaintedProgramme(tiles: 1) { $0.fill = .crop }
    try show(110, PictureSize(width: 176, height: 144), on: programme.tiles[0])
    let picture = try programme.picture(at: 0)
    #expect(luma(picture, 2, 180) == 110 && luma(picture, 637, 2) == 110)
  }

  @Test func `a tile that is away has a slate, and its name is under its picture`() throws {
    var programme = PaintedProgramme(tiles: 2)
    for tile in programme.tiles { try show(100, on: tile) }
    let there = try pixels(programme.picture(at: 0))
    let error = CaptureError(.lost, .video, device: "x", what: "gone", hint: "")
    let news = programme.tiles[1].handle(.lost(error), of: .video)
    #expect(news == .tile("tile 1", .video, .lost, cause: "gone"))
    let away = try pixels(programme.picture(at: 33))
    // The left half is as it was.
    #expect((0..<360).allSatisfy { away[$0 * 640..<$0 * 640 + 320] == there[$0 * 640..<$0 * 640 + 320] })
    #expect(away[180 * 640 + 330] == 36)
    let strip = (254..<270).flatMap { Array(there[$0 * 640..<$0 * 640 + 60]) }
    #expect(strip.contains { $0 > 180 } && strip.filter { $0 == 24 }.count > 300)
  }

  @Test func `a muted tile has a sign before its name`() throws {
    var programme = PaintedProgramme(tiles: 1)
    try show(100, on: programme.tiles[0])
    let plain = try pixels(programme.picture(at: 0))
    _ = programme.settings.control.change { $0.mutedTiles = ["tile 0"] }
    let muted = try pixels(programme.picture(at: 33))
    _ = programme.settings.control.change { $0.mutedTiles = [] }
    let again = try pixels(programme.picture(at: 66))
    #expect(muted != plain && again == plain)
  }

  @Test(arguments: Layout.allCases)
  func `what is painted on used canvases looks as if painted on a new one`(layout: Layout) throws {
    var programme = PaintedProgramme(tiles: 4) { $0.transition = .milliseconds(200) }
    let control = programme.settings.control
    for (index, tile) in programme.tiles.enumerated() { try show(60 + 40 * UInt8(index), on: tile) }
    for round in 0..<40 {
      if round == 10 { _ = control.change { $0.layout = layout } }
      if round == 25 { _ = control.change { $0.spotlight = "tile 2" } }
      if round % 3 == 0 { try show(70 + UInt8(round), on: programme.tiles[round / 3 % 4]) }
      let (scene, tiles) = (programme.scene(at: 33 * Int64(round)), programme.lineup().tilesByNumber)
      var fresh = ProgrammePainter(programme.settings)
      let isSame =
        try pixels(programme.painter.paint(scene, of: tiles)) == pixels(fresh.paint(scene, of: tiles))
      #expect(isSame, "round \(round)")
    }
  }

  @Test(arguments: [MediaTime.zero, .milliseconds(300)])
  func `tiles slide to another layout without their names, and a cut is at once`(transition: MediaTime) {
    var programme = PaintedProgramme(tiles: 4) { $0.transition = transition }
    let grid = programme.scene(at: 0)
    _ = programme.settings.control.change { $0.layout = .sideBySide }
    let next = programme.scene(at: 33)
    #expect((next.places == grid.places) == (transition > .zero))
    #expect(next.contents.allSatisfy { ($0.name != nil) == (transition == .zero) })
    let later = programme.scene(at: 433)
    #expect(later.places == Layout.sideBySide.places(for: 4, in: programme.settings.format.size))
    #expect(later.contents.allSatisfy { $0.name != nil })
  }

  @Test func `who leaves fades out as last seen, who comes fades in, and nobody else changes`() throws {
    var programme = PaintedProgramme(tiles: 3) { $0.transition = .milliseconds(300) }
    for (index, tile) in programme.tiles.enumerated() { try show(60 + 60 * UInt8(index), on: tile) }
    func brightness(_ numbers: [Int], at milliseconds: Int64) throws -> (left: UInt8, right: UInt8) {
      let picture = try programme.picture(numbers, at: milliseconds)
      return (luma(picture, 160, 180), luma(picture, 480, 180))
    }
    #expect(try brightness([0, 1], at: 0) == (60, 120))
    #expect(try brightness([0, 2], at: 1000) == (60, 120))
    // Half of the old one over the background, and half of the new one over that.
    let half = try brightness([0, 2], at: 1150)
    #expect(half.left == 60 && abs(Int(half.right) - (20 + 120) / 4 - 180 / 2) <= 2, "\(half)")
    #expect(try brightness([0, 2], at: 1300) == (60, 180))
  }
}

@Suite struct TileStateTests {
  private let error = CaptureError(.lost, .video, device: "x", what: "gone", hint: "")

  @Test func `a source without sound lacks none, and one that had some does`() {
    let tile = TileState("A", number: 0, tracks: [.video, .audio], sound: nil)
    #expect(tile.missing(.video) != nil && tile.missing(.audio) == nil)
    _ = tile.handle(.opened(.video, summary: ""), of: .video)
    #expect(tile.missing(.video) == nil && tile.missing(.audio) == nil)
    #expect(tile.handle(.lost(error), of: .audio) == nil)
    _ = tile.handle(.back(.audio, summary: ""), of: .audio)
    #expect(tile.handle(.lost(error), of: .audio) != nil)
    #expect(tile.missing(.audio) != nil && tile.missing(.video) == nil)
  }

  @Test func `what has sound only lacks no picture`() {
    let tile = TileState("A", number: 0, tracks: [.video, .audio], sound: nil)
    _ = tile.handle(.lost(error), of: .video)
    _ = tile.handle(.back(.audio, summary: ""), of: .audio)
    #expect(tile.missing(.video) == nil && tile.shown == .soundOnly)
  }

  @Test func `a tile of sound alone is missed as a tile of pictures is`() {
    let tile = TileState("A", number: 0, tracks: [.audio], sound: nil)
    #expect(tile.missing(.audio) != nil && tile.missing(.video) == nil)
  }
}
