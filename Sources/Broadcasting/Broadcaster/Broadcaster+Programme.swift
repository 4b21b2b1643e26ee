import HoldfastLifecycle
import HoldfastMediaModel
package import HoldfastMixing
import HoldfastPlatform

// MARK: - A programme of several tiles

extension Broadcaster {
  /// A layout without a large tile ends the spotlight.
  package func setLayout(_ layout: Layout) throws(ChangeError) {
    try requireTiles()
    changeProgramme { choice in
      choice.layout = layout
      if !layout.hasLargeTile { choice.spotlight = nil }
    }
  }

  /// Shows a tile large; nil for none in particular.
  package func setSpotlight(_ tile: String?) throws(ChangeError) {
    if let tile {
      guard try request(of: tile).video != .off else {
        throw ChangeError(.notPossible, "the tile \(tile) has no picture", hint: "choose another one")
      }
    } else {
      try requireTiles()
    }
    changeProgramme { $0.spotlight = tile }
  }

  package func muteTile(_ tile: String, _ isMuted: Bool) throws(ChangeError) {
    guard try request(of: tile).audio != .off else {
      throw ChangeError(.notPossible, "the tile \(tile) has no sound", hint: "choose another one")
    }
    changeProgramme {
      if isMuted { $0.mutedTiles.insert(tile) } else { $0.mutedTiles.remove(tile) }
    }
  }

  /// Reports what has changed.
  func changeProgramme(_ body: (inout ProgrammeControl.Choice) -> Void) {
    for event in programme.change(body) {
      loop.post(.changed(.programme(event)), leaving: Self.roomForOthers)
    }
  }

  /// The tiles as they are to be shown: of the session's stage, or of the options.
  package var cast: Cast {
    currentConfiguration.stage == nil
      ? Cast(currentConfiguration.programme.tiles) : programme.cast ?? Cast()
  }

  /// By name, while the devices are open.
  package var tileStates: [String: BroadcastEvent.DeviceState] {
    switch state {
    case .idle, .backgrounded, .ended: return [:]
    case .previewing, .starting, .live, .interrupted, .ending:
      let names = Set(cast.requests.map(\.name))
      return published.withLock { $0.tiles }.filter { names.contains($0.key) }
    }
  }

  private func requireTiles() throws(ChangeError) {
    guard currentConfiguration.programme.tiles.isEmpty, currentConfiguration.stage == nil else { return }
    throw ChangeError(
      .notPossible, "this broadcast has no tiles",
      hint: "start one with --video grid and --tile NAME=SOURCE")
  }

  private func request(of tile: String) throws(ChangeError) -> TileRequest {
    try requireTiles()
    let tiles = cast.requests
    guard let request = tiles.first(where: { $0.name == tile }) else {
      throw ChangeError(
        .notFound, "there is no tile \(tile)",
        hint: tiles.isEmpty
          ? "nobody is on the stage" : "choose one of \(tiles.map(\.name).joined(separator: ", "))")
    }
    return request
  }
}

extension Broadcaster.Published {
  /// A tile is as its picture is, or its sound if it has no picture.
  mutating func note(_ deviceState: BroadcastEvent.DeviceState, of track: TrackKind, in tile: String) {
    let request = configured.programme.tiles.first { $0.name == tile }
    if track == .video || request?.video == .off { tiles[tile] = deviceState }
  }
}
