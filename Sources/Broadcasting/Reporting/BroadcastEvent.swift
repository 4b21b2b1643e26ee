package import HoldfastLifecycle
package import HoldfastMediaModel
import HoldfastMediaSources
package import HoldfastPublishing
package import HoldfastRecording

/// An event of a broadcast. Raw values appear in event lines, a stable interface.
package enum BroadcastEvent: Hashable, Sendable {
  case starting
  case live(publishType: PublishType)
  case previewing
  case interrupted(cause: Lifecycle.Cause, resumableUntil: WallTime)
  case resumed(publishType: PublishType, gap: MediaTime)
  case backgrounded
  /// A broadcast is being closed.
  case ending(reason: EndReason)
  case ended(reason: EndReason, duration: MediaTime, gaps: Int)
  case device(track: TrackKind, state: DeviceState, cause: String?)
  /// A copied track goes on in another format, or with other headers.
  case track(Track)
  case gap(Gap)
  /// What a loss that lasts has cost so far.
  case losing(Gap)
  /// The wall clock was set.
  case clock(by: MediaTime)
  case output(OutputReport)
  case air(AirState)
  case bitrate(bitsPerSecond: Int, reason: String, rendition: RenditionID = .main)
  case recording(path: String, state: RecordingState)
  case disk(DiskState)
  case timer(SessionTimer.Report, TimerStatus)
  case gate(GateVerdict, reason: String?, by: String? = nil)
  case mute(track: TrackKind, isMuted: Bool)
  /// The track's source was switched; written as requested.
  case source(track: TrackKind, source: String)
  /// What the box is told as the member of a session.
  case membership(MembershipEvent)
  /// Of a programme of several tiles.
  case programme(ProgrammeEvent)

  package enum EndReason: String, Hashable, Sendable, CaseIterable {
    case stopped
    case duration
    /// The session that it was a member's of is over.
    case sessionOver
    case sourceEnded
    case background
    case windowClosed
    case interruptedStart
    /// The process crashed, and the broadcast was not resumed.
    case crash
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

package struct OutputReport: Hashable, Sendable {
  package var id: String
  package var url: String
  package var condition: OutputLifecycle.Condition
  package var reason: String?
  /// Lost in the outage before it resumed publishing.
  package var loss = OutputLoss()
}

/// What happened to the box as the member of a session, in the words of whoever keeps it one.
package struct MembershipEvent: Hashable, Sendable {
  /// Of the event line, a stable interface.
  package let name: String
  package let fields: [JSONValue.Field]
  /// For people; nil if there is nothing to show.
  package let text: String?
  package let importance: LinePriority

  package init(name: String, fields: [JSONValue.Field], text: String?, importance: LinePriority) {
    self.name = name
    self.fields = fields
    self.text = text
    self.importance = importance
  }
}
