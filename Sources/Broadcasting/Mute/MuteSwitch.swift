internal import HoldfastMediaModel
internal import HoldfastPlatform

/// Whether a track is muted, and since when: what was captured before somebody asked for it stays as it is.
final class MuteSwitch: Sendable {
  private struct Change {
    let at: MonotonicTime
    let isMuted: Bool
  }

  private let changes = Locked<[Change]>([])
  /// More than there can be between a capture and its treatment.
  private static let keptChanges = 16

  /// As of now.
  var isMuted: Bool { changes.withLock { $0.last?.isMuted ?? false } }

  /// False where it was so already.
  func set(_ isMuted: Bool, at now: MonotonicTime = .now) -> Bool {
    changes.withLock { changes in
      guard isMuted != changes.last?.isMuted ?? false else { return false }
      changes.append(Change(at: now, isMuted: isMuted))
      if changes.count > Self.keptChanges { changes.removeFirst() }
      return true
    }
  }

  /// Whether what was captured at `time` is to be kept from everybody.
  func isMuted(at time: MonotonicTime) -> Bool {
    changes.withLock { changes in
      guard let first = changes.first else { return false }
      return changes.last { $0.at <= time }?.isMuted ?? !first.isMuted
    }
  }
}
