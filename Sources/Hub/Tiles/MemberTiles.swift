import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession

/// The tiles that somebody looks at here: one pull for each member, however many viewers it has.
final class MemberTiles: Sendable {
  private struct Entry: Sendable {
    let tile: MemberTile
    var holds = 1
    /// Since when nobody looks.
    var idleSince: MonotonicTime?
  }

  private let entries = Locked<[Session.Member.ID: Entry]>([:])
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
  func hold(_ member: Session.Member.ID, in name: Session.Name, epoch: UInt64) throws(SystemError) -> Hold? {
    let tile = try entries.withLock { (entries) throws(SystemError) -> MemberTile? in
      if let known = entries[member] {
        entries[member]?.holds += 1
        entries[member]?.idleSince = nil
        return known.tile
      }
      guard entries.count < Self.maxTiles else { return nil }
      let (puller, keys) = (puller, keys)
      let tile = try MemberTile(
        settings: { puller.settings(of: member, in: name, epoch: epoch, keys, at: .now) }, wake: wake)
      entries[member] = Entry(tile: tile)
      return tile
    }
    return tile.map { Hold(of: $0, member, in: self) }
  }

  /// Called about once a second.
  func endIdle(at now: MonotonicTime) {
    let idle = entries.withLock { entries in
      let idle = entries.filter { $0.value.idleSince.map { now - $0 >= Self.linger } ?? false }
      for id in idle.keys { entries[id] = nil }
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

  private func release(_ member: Session.Member.ID) {
    entries.withLock { entries in
      entries[member]?.holds -= 1
      if entries[member]?.holds == 0 { entries[member]?.idleSince = .now }
    }
  }

  /// A viewer's hold on a tile.
  final class Hold: Sendable {
    let tile: MemberTile
    let member: Session.Member.ID
    private let tiles: MemberTiles

    fileprivate init(of tile: MemberTile, _ member: Session.Member.ID, in tiles: MemberTiles) {
      (self.tile, self.member, self.tiles) = (tile, member, tiles)
    }

    deinit { tiles.release(member) }
  }
}
