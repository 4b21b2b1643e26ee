import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession

/// The tiles that somebody looks at here: one pull for each stream of a member, however many viewers it has.
final class MemberTiles: Sendable {
  /// What is pulled.
  struct Source: Hashable {
    let member: Session.Member.ID
    var rendition = Session.Rendition.main
  }

  private struct Entry: Sendable {
    let tile: MemberTile
    var holds = 1
    /// Since when nobody looks.
    var idleSince: MonotonicTime?
  }

  private let entries = Locked<[Source: Entry]>([:])
  private let puller: TilePuller
  private let keys: HubKeys
  private let wake: @Sendable () -> Void

  static let maxTiles = 200
  /// Pages ask anew when they want other tiles: what they go on with is not pulled anew.
  private static let linger = MediaTime.seconds(3)
  private static let stopTimeout = MediaTime.seconds(1)

  /// `wake` is called when streams have something to send.
  init(_ puller: TilePuller, _ keys: HubKeys, wake: @escaping @Sendable () -> Void) {
    self.puller = puller
    self.keys = keys
    self.wake = wake
  }

  /// Whether members can be played at all.
  var canPlay: Bool { puller.canPlay }

  var count: Int { entries.withLock { $0.count } }

  /// Nil if there is no room for another pull.
  func hold(_ source: Source, in name: Session.Name, epoch: UInt64) throws(SystemError) -> Hold? {
    let tile = try entries.withLock { (entries) throws(SystemError) -> MemberTile? in
      if let known = entries[source] {
        entries[source]?.holds += 1
        entries[source]?.idleSince = nil
        return known.tile
      }
      guard entries.count < Self.maxTiles else { return nil }
      let (puller, keys) = (puller, keys)
      let tile = try MemberTile(
        settings: {
          puller.settings(of: source.member, source.rendition, in: name, epoch: epoch, keys, at: .now)
        }, wake: wake)
      entries[source] = Entry(tile: tile)
      return tile
    }
    return tile.map { Hold(of: $0, source, in: self) }
  }

  /// Called about once a second.
  func endIdle(at now: MonotonicTime) {
    let idle = entries.withLock { entries in
      let idle = entries.filter { $0.value.idleSince.map { now - $0 >= Self.linger } ?? false }
      for source in idle.keys { entries[source] = nil }
      return idle.values.map(\.tile)
    }
    for tile in idle {
      tile.end()
      tile.join(until: now)
    }
  }

  func stop() {
    let all = entries.withLock { entries in
      defer { entries = [:] }
      return entries.values.map(\.tile)
    }
    for tile in all { tile.end() }
    let deadline = MonotonicTime.now + Self.stopTimeout
    for tile in all { tile.join(until: deadline) }
  }

  private func release(_ source: Source) {
    entries.withLock { entries in
      entries[source]?.holds -= 1
      if entries[source]?.holds == 0 { entries[source]?.idleSince = .now }
    }
  }

  /// A viewer's hold on a tile.
  final class Hold: Sendable {
    let tile: MemberTile
    let source: Source
    private let tiles: MemberTiles

    fileprivate init(of tile: MemberTile, _ source: Source, in tiles: MemberTiles) {
      (self.tile, self.source, self.tiles) = (tile, source, tiles)
    }

    deinit { tiles.release(source) }
  }
}
