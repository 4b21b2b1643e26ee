import HoldfastMediaModel
import HoldfastPlatform

/// The mute state of a track and its recent changes, so that muting applies by capture time.
final class MuteSwitch: Sendable {
  private struct Change {
    let at: MonotonicTime
    let isMuted: Bool
  }

  private let changes = Locked<[Change]>([])
  /// More changes than can happen between capture and processing.
  private static let keptChanges = 16

  var isMuted: Bool { changes.withLock { $0.last?.isMuted ?? false } }

  func set(_ isMuted: Bool, at now: MonotonicTime = .now) -> Bool {
    changes.withLock { changes in
      guard isMuted != changes.last?.isMuted ?? false else { return false }
      changes.append(Change(at: now, isMuted: isMuted))
      if changes.count > Self.keptChanges { changes.removeFirst() }
      return true
    }
  }

  /// Whether media captured at `time` must not be delivered.
  func isMuted(at time: MonotonicTime) -> Bool {
    changes.withLock { changes in
      guard let first = changes.first else { return false }
      return changes.last { $0.at <= time }?.isMuted ?? !first.isMuted
    }
  }
}

/// The mute switch of each track, shared by all of a broadcaster's broadcasts.
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
