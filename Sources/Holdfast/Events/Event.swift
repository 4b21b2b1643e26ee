internal import HoldfastBroadcasting
internal import HoldfastLifecycle
internal import HoldfastMediaModel

/// Something that happened to a broadcast.
public struct Event: Hashable, Sendable, CustomStringConvertible {
  /// What happened. Later versions may add cases, so a `switch` over them needs a `default`.
  public enum Kind: Hashable, Sendable {
    case starting, live, previewing, backgrounded
    case interrupted(InterruptionCause, resumableUntil: WallTime)
    /// It goes on after an interruption of this length.
    case resumed(after: Duration)
    case ended(EndReason, length: Duration, gaps: Int)
    case device(TrackKind, DeviceState, cause: String?)
    /// Something is missing.
    case gap(Gap)
    case output(OutputChange)
    case bitrate(bitsPerSecond: Int, reason: String)
    case recording(path: String, RecordingState)
    case disk(DiskState)
    case session(SessionNews, SessionTime)
    case gate(GateVerdict, reason: String?)
    case muted(TrackKind, Bool)
    /// Another source has taken the place of the track's.
    case source(TrackKind, name: String)
  }

  public let time: WallTime
  /// The broadcast's id.
  public let broadcast: String
  public let kind: Kind
  /// The event as a line of JSON, the same as `holdfast publish --events` writes.
  public let description: String

  init(_ line: EventLine) {
    time = WallTime(inner: line.at)
    broadcast = line.broadcast
    kind = Kind(line.event)
    description = line.description
  }
}

extension Event.Kind {
  fileprivate init(_ event: BroadcastEvent) {
    switch event {
    case .starting: self = .starting
    case .live: self = .live
    case .previewing: self = .previewing
    case .interrupted(let cause, let until):
      self = .interrupted(InterruptionCause(cause), resumableUntil: WallTime(inner: until))
    case .resumed(_, let gap): self = .resumed(after: Duration(gap))
    case .backgrounded: self = .backgrounded
    case .ended(let reason, let length, let gaps):
      self = .ended(EndReason(reason), length: Duration(length), gaps: gaps)
    case .device(let track, let state, let cause):
      self = .device(TrackKind(track), DeviceState(state), cause: cause)
    case .gap(let gap): self = .gap(Gap(gap))
    case .output(let report): self = .output(OutputChange(report))
    case .bitrate(let rate, let why): self = .bitrate(bitsPerSecond: rate, reason: why)
    case .recording(let path, let state): self = .recording(path: path, RecordingState(state))
    case .disk(let state): self = .disk(DiskState(state))
    case .timer(let news, let status): self = .session(SessionNews(news), SessionTime(status))
    case .gate(let verdict, let reason): self = .gate(GateVerdict(verdict), reason: reason)
    case .mute(let track, let isMuted): self = .muted(TrackKind(track), isMuted)
    case .source(let track, let source): self = .source(TrackKind(track), name: source)
    }
  }
}
