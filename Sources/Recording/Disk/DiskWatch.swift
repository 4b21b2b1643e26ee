internal import HoldfastMediaModel
internal import HoldfastPlatform

/// The guard over a recorder's disk, for the thread that writes and for whoever looks after it meanwhile.
final class DiskWatch: Sendable {
  private struct Watched: Sendable {
    var disk: DiskGuard
    /// When the disk began to take again what had waited for it.
    var catchesUpSince: MonotonicTime?
  }

  private let watched: Locked<Watched>
  private let tell: @Sendable (DiskState) -> Void

  /// Longer than it takes a disk that is quick enough.
  private static let longestCatchUp = MediaTime.seconds(20)

  init(_ limits: DiskLimits, tell: @escaping @Sendable (DiskState) -> Void) {
    watched = Locked(Watched(disk: DiskGuard(limits)))
    self.tell = tell
  }

  /// Nothing is written, or what wasn't still waits.
  var isBehind: Bool { watched.withLock { $0.disk.told.isHolding || $0.catchesUpSince != nil } }

  /// Tells what is news, and gives what is to be done.
  func handle(_ event: DiskGuard.Event) -> [DiskGuard.Action] {
    let actions = watched.withLock { watched in
      let wasHolding = watched.disk.told.isHolding
      defer { if wasHolding, !watched.disk.told.isHolding { watched.catchesUpSince = .now } }
      return watched.disk.handle(event, at: .now)
    }
    for case .tell(let state) in actions { tell(state) }
    return actions
  }

  /// So much media waits: the disk is as far behind, unless it has only just begun to catch up.
  func look(at queued: MediaTime) {
    let catchesUp = watched.withLock { watched in
      guard let since = watched.catchesUpSince else { return false }
      if queued < .milliseconds(500) || .now - since > Self.longestCatchUp { watched.catchesUpSince = nil }
      return watched.catchesUpSince != nil
    }
    if !catchesUp { _ = handle(.blocked(for: queued)) }
  }
}
