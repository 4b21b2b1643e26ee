package import HoldfastLifecycle
package import HoldfastMediaModel
package import HoldfastRecording

/// Something that happened to a broadcast. The raw values of its parts stand in event lines, a stable interface.
package enum BroadcastEvent: Hashable, Sendable {
  case starting
  case live(publishType: PublishType)
  case previewing
  case interrupted(cause: Lifecycle.Cause, resumableUntil: WallTime)
  case resumed(publishType: PublishType, gap: MediaTime)
  case backgrounded
  case ended(reason: EndReason, duration: MediaTime, gaps: Int)
  case device(track: TrackKind, state: DeviceState, cause: String?)
  case gap(Gap)
  case output(OutputReport)
  case bitrate(bitsPerSecond: Int, why: String)
  case recording(path: String, state: RecordingState)
  case disk(DiskState)
  case timer(SessionTimer.News, TimerStatus)
  case gate(GateVerdict, reason: String?)
  case mute(track: TrackKind, isMuted: Bool)
  /// Another source has taken the place of the track's; written as it was asked for.
  case source(track: TrackKind, source: String)

  package enum EndReason: String, Hashable, Sendable, CaseIterable {
    /// Somebody asked for it.
    case stopped
    /// The asked-for duration is over.
    case duration
    /// The files have come to their end.
    case sourceEnded
    /// It went to the background.
    case background
    /// It was interrupted for longer than it can be resumed.
    case windowClosed
    /// It was interrupted before it was live.
    case interruptedStart
    /// Its process came to a sudden end, and it was not resumed.
    case crash
    /// Nothing could go on: no source or no room.
    case failed
    case gateRefused, gateTimedOut
  }

  /// What the gate has been asked, or has said.
  package enum GateVerdict: String, Hashable, Sendable, CaseIterable {
    case asked, passed, refused, timedOut
  }

  package enum DeviceState: String, Hashable, Sendable, CaseIterable {
    case open, lost, busy, back
  }

  package enum RecordingState: String, Hashable, Sendable, CaseIterable {
    case open, finished, failed
  }
}
