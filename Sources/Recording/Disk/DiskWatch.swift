internal import MediaModel
internal import Platform

/// The guard over a recorder's disk, for the thread that writes and for whoever looks after it meanwhile.
final class DiskWatch: Sendable {
  private let disk: Locked<DiskGuard>
  private let tell: @Sendable (DiskState) -> Void

  init(_ limits: DiskLimits, tell: @escaping @Sendable (DiskState) -> Void) {
    disk = Locked(DiskGuard(limits))
    self.tell = tell
  }

  /// Nothing is written.
  var isHolding: Bool { disk.withLock { $0.told.isHolding } }

  /// Tells what is news, and gives what is to be done.
  func handle(_ event: DiskGuard.Event) -> [DiskGuard.Action] {
    let actions = disk.withLock { $0.handle(event, at: .now) }
    for case .tell(let state) in actions { tell(state) }
    return actions
  }

  /// So much media waits: as much as the write that lasts has taken at least.
  func look(at queued: MediaTime) {
    _ = handle(.blocked(for: queued))
  }
}
