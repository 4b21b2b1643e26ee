internal import HoldfastCapture
package import HoldfastLifecycle
package import HoldfastMediaModel
package import HoldfastPublishing
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
    case stopped
    case duration
    case sourceEnded
    case background
    case windowClosed
    case interruptedStart
    /// Its process came to a sudden end, and it was not resumed.
    case crash
    /// Nothing could go on: no source or no room.
    case failed
    case gateRefused, gateTimedOut
  }

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

extension BroadcastEvent {
  static func device(_ error: CaptureError) -> BroadcastEvent {
    .device(track: error.track, state: error.kind == .busy ? .busy : .lost, cause: error.what)
  }
}

/// What is reported of one output when something about it changes.
package struct OutputReport: Hashable, Sendable {
  package var id: String
  /// The address without its secrets.
  package var url: String
  package var condition: OutputLifecycle.Condition
  /// What happened, for a person.
  package var why: String?
  /// What it did not get, right before it went on publishing.
  package var loss = OutputLoss()
}
