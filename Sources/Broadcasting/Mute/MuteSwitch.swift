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

/// Which tracks are muted, in all of a broadcaster's broadcasts.
struct Mutes: Sendable {
  private let video = MuteSwitch()
  private let audio = MuteSwitch()

  subscript(track: TrackKind) -> MuteSwitch {
    switch track {
    case .video: video
    case .audio: audio
    }
  }

  var muted: Set<TrackKind> { Set(TrackKind.allCases.filter { self[$0].isMuted }) }
}
