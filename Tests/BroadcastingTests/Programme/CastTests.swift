import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastMixing
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastBroadcasting

@Suite struct CastTests {
  private static let size = PictureSize(width: 640, height: 360)
  private let made = Locked<[String]>([])

  private func part(_ id: String, _ name: String, key: Int = 1, isMuted: Bool = false) throws -> Cast.Part {
    let address = try SourceAddress("rtmp://media/live/\(id)?key=\(key)")
    return Cast.Part(
      id: id, TileRequest(name: name, video: .network(address), audio: .network(address)), isMuted: isMuted)
  }

  /// Tiles without sources.
  private func tiles(_ settings: Mixer.Settings) -> RunningTiles {
    RunningTiles(settings) { [made] request, number, _ in
      made.withLock { $0.append("\(number) \(request.name)") }
      let state = TileState(request.name, number: number, tracks: [.video, .audio], sound: nil)
      state.firstWord.fulfil(())
      return Tile(state, nil, nil, nil)
    }
  }

  private func names(_ tiles: RunningTiles) -> [String?] {
    tiles.lineup.places.map { seat in seat.map { "\($0.tile.number) \($0.name)\($0.isMuted ? " muted" : "")" }
    }
  }

  @Test func `who stays in the cast keeps its tile under another name, in another place, and with a new key`()
    throws
  {
    let tiles = tiles(Mixer.Settings())
    try tiles.follow(Cast([part("a", "Anna"), part("b", "Ben")]))
    #expect(names(tiles) == ["1 Anna", "2 Ben"])
    try tiles.follow(Cast([part("b", "Ben", isMuted: true), nil, part("a", "Anna Lee", key: 2)], large: "a"))
    #expect(names(tiles) == ["2 Ben muted", nil, "1 Anna Lee"])
    #expect(tiles.lineup.large == 1 && tiles.lineup.seats.last?.tile.name == "Anna Lee")
    try tiles.follow(Cast([part("c", "Cleo"), part("a", "Anna Lee")]))
    #expect(names(tiles) == ["3 Cleo", "1 Anna Lee"])
    #expect(made.withLock { $0 } == ["1 Anna", "2 Ben", "3 Cleo"])
  }

  @Test func `who comes back, or has another source, is another tile`() throws {
    let tiles = tiles(Mixer.Settings())
    try tiles.follow(Cast([part("a", "Anna")]))
    try tiles.follow(Cast())
    #expect(names(tiles) == [])
    try tiles.follow(Cast([part("a", "Anna")]))
    let test = Cast.Part(id: "a", TileRequest(name: "Anna", video: .test, audio: .test))
    try tiles.follow(Cast([test]))
    #expect(made.withLock { $0 } == ["1 Anna", "2 Anna", "3 Anna"])
  }

  @Test func `a start has the cast that is known, and follows the next ones`() throws {
    let settings = Mixer.Settings()
    let tiles = tiles(settings)
    settings.control.follow(Cast([try part("a", "Anna")]))
    try tiles.start()
    #expect(names(tiles) == ["1 Anna"])
    settings.control.follow(Cast([try part("b", "Ben")]))
    #expect(eventually { names(tiles) == ["2 Ben"] })
    tiles.stop()
    #expect(names(tiles) == [])
  }

  @Test func `options give a cast of their own`() throws {
    let settings = Mixer.Settings { $0.tiles = [TileRequest(name: "Hall", video: .test, audio: .off)] }
    let tiles = tiles(settings)
    try tiles.start()
    settings.control.follow(Cast([try part("a", "Anna")]))
    #expect(names(tiles) == ["1 Hall"])
    tiles.stop()
  }

  @Test func `with the cast, tiles fade in, slide to their places, and fade out`() throws {
    let settings = Mixer.Settings { $0.transition = .milliseconds(300) }
    let tiles = tiles(settings)
    var director = Director(settings)
    try tiles.follow(Cast([part("a", "Anna")]))
    let alone = director.scene(of: tiles.lineup, at: .zero)
    #expect(alone.places == Layout.grid.places(of: [1], large: nil, in: Self.size))
    try tiles.follow(Cast([part("a", "Anna"), part("b", "Ben")]))
    let moving = director.scene(of: tiles.lineup, at: .milliseconds(33))
    #expect(moving.places.map(\.tile) == [1, 2] && moving.places[0] == alone.places[0])
    #expect(moving.contents.map(\.name) == [nil, "Ben"])
    #expect(moving.places.map(\.opacity) == [Place.opaque, 0])
    let later = director.scene(of: tiles.lineup, at: .milliseconds(433))
    #expect(later.places == Layout.grid.places(of: [1, 2], large: nil, in: Self.size))
    #expect(later.contents.map(\.name) == ["Anna", "Ben"])
    try tiles.follow(Cast([nil, part("b", "Benjamin", isMuted: true)]))
    let leaving = director.scene(of: tiles.lineup, at: .milliseconds(900))
    #expect(leaving.places == later.places && leaving.contents.map(\.name) == [nil, "Benjamin"])
    #expect(leaving.contents[0].shown == .gone)
    let hole = director.scene(of: tiles.lineup, at: .milliseconds(1200))
    #expect(hole.places == [later.places[1]])
    #expect(hole.contents.map(\.name) == ["Benjamin"] && hole.contents[0].isMuted)
  }

  @Test func `the cast says who is large, unless somebody has chosen`() throws {
    let settings = Mixer.Settings { $0.layout = .spotlight }
    let tiles = tiles(settings)
    var director = Director(settings)
    func large() -> Int? { director.scene(of: tiles.lineup, at: .zero).places.first?.tile }
    try tiles.follow(Cast([part("a", "Anna"), part("b", "Ben"), part("c", "Cleo")]))
    #expect(large() == 1)
    try tiles.follow(Cast([part("a", "Anna"), part("b", "Ben"), part("c", "Cleo")], large: "b"))
    #expect(large() == 2)
    _ = settings.control.change { $0.spotlight = "Cleo" }
    #expect(large() == 3)
    try tiles.follow(Cast([part("a", "Anna"), part("b", "Ben")], large: "b"))
    #expect(large() == 2)
  }

  @Test func `a tile that lacks something is named as it is called now`() throws {
    let tiles = tiles(Mixer.Settings())
    try tiles.follow(Cast([part("a", "Anna"), part("b", "Ben")]))
    _ = tiles.lineup.seats[1].tile.handle(.opened(.video, summary: ""), of: .video)
    #expect(Set(tiles.lineup.missing(.video, at: .now).keys) == ["Anna"])
    try tiles.follow(Cast([part("a", "Anna Lee"), part("b", "Ben")]))
    #expect(Set(tiles.lineup.missing(.video, at: .now).keys) == ["Anna Lee"])
    try tiles.follow(Cast([part("b", "Ben")]))
    #expect(tiles.lineup.missing(.video, at: .now).isEmpty)
  }
}
