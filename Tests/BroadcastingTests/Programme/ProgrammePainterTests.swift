import HoldfastCapture
import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastMixing
import TestTraits
import Testing

@testable import HoldfastBroadcasting

@Suite(.computing) struct ProgrammePainterTests {
  private static let size = PictureSize(width: 640, height: 360)

  private func settings(_ change: (inout Configuration.Programme) -> Void = { _ in }) -> Mixer.Settings {
    var programme = Configuration.Programme()
    change(&programme)
    return Mixer.Settings(
      programme: programme, format: VideoFormat(size: Self.size, frameRate: .thirty),
      control: ProgrammeControl(programme), note: { _ in })
  }

  private func tiles(_ count: Int) -> [TileState] {
    (0..<count).map { TileState("tile \($0)", number: $0, tracks: [.video, .audio], sound: nil) }
  }

  private func lineup(_ tiles: [TileState?]) -> Lineup {
    Lineup(places: tiles.map { tile in tile.map { Lineup.Seat(tile: $0, name: $0.name) } })
  }

  private func byNumber(_ tiles: [TileState]) -> [Int: TileState] { lineup(tiles).tilesByNumber }

  private func show(
    _ luma: UInt8, _ size: PictureSize = PictureSize(width: 320, height: 180), on tile: TileState
  )
    throws
  {
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
    let (settings, tiles) = (settings(), tiles(4))
    var director = Director(settings)
    var painter = ProgrammePainter(settings)
    for round in UInt8(0)..<20 {
      for (index, tile) in tiles.enumerated() where round % (UInt8(index) + 1) == 0 {
        try show(50 + 40 * UInt8(index) + round, on: tile)
      }
      let picture = try painter.paint(
        director.scene(of: lineup(tiles), at: .milliseconds(33 * Int64(round))), of: byNumber(tiles))
      for (index, (x, y)) in [(160, 90), (480, 90), (160, 270), (480, 270)].enumerated() {
        let shown = round - round % (UInt8(index) + 1)
        #expect(luma(picture, x, y) == 50 + 40 * UInt8(index) + shown)
      }
    }
  }

  @Test func `a picture that changes nothing is the same picture`() throws {
    let (settings, tiles) = (settings(), tiles(2))
    var director = Director(settings)
    var painter = ProgrammePainter(settings)
    for tile in tiles { try show(100, on: tile) }
    let first = try painter.paint(director.scene(of: lineup(tiles), at: .zero), of: byNumber(tiles))
    let second = try painter.paint(
      director.scene(of: lineup(tiles), at: .milliseconds(33)), of: byNumber(tiles))
    #expect(
      first.withPlane(0) { bytes, _ in bytes.baseAddress }
        == second.withPlane(0) { bytes, _ in bytes.baseAddress })
    try show(120, on: tiles[0])
    let third = try painter.paint(
      director.scene(of: lineup(tiles), at: .milliseconds(66)), of: byNumber(tiles))
    #expect(luma(first, 160, 180) == 100 && luma(third, 160, 180) == 120 && luma(third, 480, 180) == 100)
  }

  @Test func `a picture of another size or shape is just another picture, between bars`() throws {
    let (settings, tiles) = (settings(), tiles(1))
    var director = Director(settings)
    var painter = ProgrammePainter(settings)
    try show(100, PictureSize(width: 1280, height: 720), on: tiles[0])
    let wide = try painter.paint(director.scene(of: lineup(tiles), at: .zero), of: byNumber(tiles))
    try show(110, PictureSize(width: 176, height: 144), on: tiles[0])
    let narrow = try painter.paint(
      director.scene(of: lineup(tiles), at: .milliseconds(33)), of: byNumber(tiles))
    #expect(luma(wide, 2, 180) == 100)
    #expect(luma(narrow, 2, 180) == 20 && luma(narrow, 320, 180) == 110)
  }

  @Test func `a cropped picture fills its tile`() throws {
    let settings = settings { $0.fill = .crop }
    let tiles = tiles(1)
    var director = Director(settings)
    var painter = ProgrammePainter(settings)
    try show(110, PictureSize(width: 176, height: 144), on: tiles[0])
    let picture = try painter.paint(director.scene(of: lineup(tiles), at: .zero), of: byNumber(tiles))
    #expect(luma(picture, 2, 180) == 110 && luma(picture, 637, 2) == 110)
  }

  @Test func `a tile that is away has a slate, and its name is under its picture`() throws {
    let (settings, tiles) = (settings(), tiles(2))
    var director = Director(settings)
    var painter = ProgrammePainter(settings)
    for tile in tiles { try show(100, on: tile) }
    let there = try pixels(painter.paint(director.scene(of: lineup(tiles), at: .zero), of: byNumber(tiles)))
    let error = CaptureError(.lost, .video, device: "x", what: "gone", hint: "")
    let news = tiles[1].handle(.lost(error), of: .video)
    #expect(news == .tile("tile 1", .video, .lost, cause: "gone"))
    let away = try pixels(
      painter.paint(director.scene(of: lineup(tiles), at: .milliseconds(33)), of: byNumber(tiles)))
    // The left half is as it was.
    #expect((0..<360).allSatisfy { away[$0 * 640..<$0 * 640 + 320] == there[$0 * 640..<$0 * 640 + 320] })
    #expect(away[180 * 640 + 330] == 36)
    let strip = (254..<270).flatMap { Array(there[$0 * 640..<$0 * 640 + 60]) }
    #expect(strip.contains { $0 > 180 } && strip.filter { $0 == 24 }.count > 300)
  }

  @Test func `a muted tile has a sign before its name`() throws {
    let (settings, tiles) = (settings(), tiles(1))
    var director = Director(settings)
    var painter = ProgrammePainter(settings)
    try show(100, on: tiles[0])
    let plain = try pixels(painter.paint(director.scene(of: lineup(tiles), at: .zero), of: byNumber(tiles)))
    _ = settings.control.change { $0.mutedTiles = ["tile 0"] }
    let muted = try pixels(
      painter.paint(director.scene(of: lineup(tiles), at: .milliseconds(33)), of: byNumber(tiles)))
    _ = settings.control.change { $0.mutedTiles = [] }
    let again = try pixels(
      painter.paint(director.scene(of: lineup(tiles), at: .milliseconds(66)), of: byNumber(tiles)))
    #expect(muted != plain && again == plain)
  }

  @Test(arguments: Layout.allCases)
  func `what is painted on used canvases looks as if painted on a new one`(layout: Layout) throws {
    let settings = settings { $0.transition = .milliseconds(200) }
    let tiles = tiles(4)
    for (index, tile) in tiles.enumerated() { try show(60 + 40 * UInt8(index), on: tile) }
    var director = Director(settings)
    var painter = ProgrammePainter(settings)
    for round in 0..<40 {
      if round == 10 { _ = settings.control.change { $0.layout = layout } }
      if round == 25 { _ = settings.control.change { $0.spotlight = "tile 2" } }
      if round % 3 == 0 { try show(70 + UInt8(round), on: tiles[round / 3 % 4]) }
      let scene = director.scene(of: lineup(tiles), at: .milliseconds(33 * Int64(round)))
      var fresh = ProgrammePainter(settings)
      let isSame =
        try pixels(painter.paint(scene, of: byNumber(tiles)))
        == pixels(fresh.paint(scene, of: byNumber(tiles)))
      #expect(isSame, "round \(round)")
    }
  }

  @Test func `tiles slide to another layout without their names, and a cut is at once`() throws {
    for transition in [MediaTime.zero, .milliseconds(300)] {
      let settings = settings { $0.transition = transition }
      let tiles = tiles(4)
      var director = Director(settings)
      let grid = director.scene(of: lineup(tiles), at: .zero)
      _ = settings.control.change { $0.layout = .sideBySide }
      let next = director.scene(of: lineup(tiles), at: .milliseconds(33))
      #expect((next.places == grid.places) == (transition > .zero))
      #expect(next.contents.allSatisfy { ($0.name != nil) == (transition == .zero) })
      let later = director.scene(of: lineup(tiles), at: .milliseconds(433))
      #expect(later.places == Layout.sideBySide.places(for: 4, in: Self.size))
      #expect(later.contents.allSatisfy { $0.name != nil })
    }
  }

  @Test func `who leaves fades out as last seen, who comes fades in, and nobody else changes`() throws {
    let settings = settings { $0.transition = .milliseconds(300) }
    let tiles = tiles(3)
    for (index, tile) in tiles.enumerated() { try show(60 + 60 * UInt8(index), on: tile) }
    var director = Director(settings)
    var painter = ProgrammePainter(settings)
    func brightness(_ lineup: Lineup, at milliseconds: Int64) throws -> (left: UInt8, right: UInt8) {
      let scene = director.scene(of: lineup, at: .milliseconds(milliseconds))
      let picture = try painter.paint(scene, of: lineup.tilesByNumber)
      return (luma(picture, 160, 180), luma(picture, 480, 180))
    }
    let (before, after) = (lineup([tiles[0], tiles[1]]), lineup([tiles[0], tiles[2]]))
    #expect(try brightness(before, at: 0) == (60, 120))
    #expect(try brightness(after, at: 1000) == (60, 120))
    // Half of the old one over the background, and half of the new one over that.
    let half = try brightness(after, at: 1150)
    #expect(half.left == 60 && abs(Int(half.right) - (20 + 120) / 4 - 180 / 2) <= 2, "\(half)")
    #expect(try brightness(after, at: 1300) == (60, 180))
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
