import MediaModel
import Platform

/// Finds where media time 0 lies on the monotonic clock: at the first picture that has sound to go with it.
///
/// What was captured before is not part of the broadcast, so both tracks begin at 0.
final class TimeOrigin: Sendable {
  private struct State {
    var awaited: Set<TrackKind>
    var audioStart: MonotonicTime?
    var origin: MonotonicTime?
  }

  private let hasVideo: Bool
  private let state: Locked<State>

  init(tracks: Set<TrackKind>) {
    hasVideo = tracks.contains(.video)
    state = Locked(State(awaited: tracks))
  }

  /// A picture was taken at `time` and is to be shown at `shownAt`, which is later where pictures are encoded in another
  /// order. The origin, where it is known; pictures before it are to be left out.
  func pictureTaken(at time: MonotonicTime, shownAt: MonotonicTime? = nil) -> MonotonicTime? {
    state.withLock { state in
      if let origin = state.origin { return origin }
      if state.awaited.contains(.audio) {
        guard let audioStart = state.audioStart, audioStart <= shownAt ?? time else { return nil }
      }
      state.origin = time
      return time
    }
  }

  /// Sound is there from `time` on. The origin, where it is known; sound is to be kept until then.
  func soundTaken(from time: MonotonicTime) -> MonotonicTime? {
    state.withLock { state in
      if state.audioStart == nil { state.audioStart = time }
      if state.origin == nil, !state.awaited.contains(.video) { state.origin = state.audioStart }
      return state.origin
    }
  }

  /// Nothing comes of this track; the other does not wait for it.
  func withdraw(_ track: TrackKind) {
    state.withLock { state in
      _ = state.awaited.remove(track)
    }
  }
}
