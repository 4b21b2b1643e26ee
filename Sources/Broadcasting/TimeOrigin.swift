import MediaModel
import Platform

/// Finds where media time 0 lies on the monotonic clock: at the first picture that has sound to go with it, once the
/// broadcast goes live.
///
/// What was captured before is not part of the broadcast, so both tracks begin at 0.
final class TimeOrigin: Sendable {
  private struct State {
    var awaited: Set<TrackKind>
    var audioStart: MonotonicTime?
    var origin: MonotonicTime?
    /// When the broadcast went live; nil while it has not.
    var released: MonotonicTime?
  }

  private let state: Locked<State>
  private let release: StopSignal

  init(tracks: Set<TrackKind>) throws(SystemError) {
    state = Locked(State(awaited: tracks))
    release = try StopSignal()
  }

  /// The broadcast goes live: media time begins with what is captured from `now` on.
  func goLive(at now: MonotonicTime) {
    state.withLock { $0.released = $0.released ?? now }
    release.signal()
  }

  /// Waits until the broadcast goes live; false when it was stopped before.
  func waitForLive(until stop: StopSignal) -> Bool {
    (try? stop.poll([release.descriptor], until: nil)) == .ready
  }

  /// A picture was taken at `time` and is to be shown at `shownAt`, which is later where pictures are encoded in another
  /// order. The origin, where it is known; pictures before it are to be left out.
  func pictureTaken(at time: MonotonicTime, shownAt: MonotonicTime? = nil) -> MonotonicTime? {
    state.withLock { state in
      if let origin = state.origin { return origin }
      guard let released = state.released, time >= released else { return nil }
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
      if state.origin == nil, let released = state.released, !state.awaited.contains(.video) {
        state.origin = state.audioStart.map { max($0, released) }
      }
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
