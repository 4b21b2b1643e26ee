import HoldfastBroadcasting
import HoldfastLifecycle
import HoldfastMediaModel

/// Something that happened to a broadcast.
public struct Event: Hashable, Sendable, CustomStringConvertible {
  /// The kind of event. Later versions may add cases, so a `switch` needs a `default`.
  public enum Kind: Hashable, Sendable {
    case starting, live, previewing, backgrounded
    case interrupted(InterruptionCause, resumableUntil: WallTime)
    /// The broadcast has resumed after an interruption of this length.
    case resumed(after: Duration)
    /// The broadcast is being closed.
    case ending(EndReason)
    case ended(EndReason, duration: Duration, gapCount: Int)
    case device(TrackKind, DeviceState, cause: String?)
    /// A copied track goes on in this format, or with other headers.
    case track(Track)
    /// Media is missing from the recording or from an output.
    case gap(Gap)
    /// What a loss that lasts has cost so far; told every ten seconds, and not to be added up.
    case losing(Gap)
    /// The wall clock was set by this much.
    case clock(by: Duration)
    case output(OutputChange)
    case onAir(OnAir)
    case bitrate(bitsPerSecond: Int, reason: String)
    case recording(path: String, RecordingState)
    case disk(DiskState)
    case session(SessionUpdate, SessionTime)
    /// `by` is the person who said ready or not; nil for other gates.
    case gate(GateUpdate, reason: String?, by: String?)
    case mute(TrackKind, isMuted: Bool)
    /// The track has switched to another source.
    case source(TrackKind, name: String)
    /// As the member of a session of several boxes: the name and the details of the event line.
    case membership(name: String, details: String)
    /// Of a programme of several tiles: the name and the details of the event line.
    case programme(name: String, details: String)
  }

  public let kind: Kind
  public let broadcastID: String
  /// When it happened, on the wall clock.
  public let time: WallTime
  private let line: EventLine?

  /// Creates an event for the test of code that receives events.
  public init(_ kind: Kind, broadcastID: String, at time: WallTime) {
    (self.kind, self.broadcastID, self.time, line) = (kind, broadcastID, time, nil)
  }

  init(_ line: EventLine) {
    (kind, broadcastID) = (Kind(line.event), line.broadcast)
    (time, self.line) = (WallTime(inner: line.at), line)
  }

  // An event made for a test equals a broadcaster's.
  public static func == (one: Self, other: Self) -> Bool {
    one.kind == other.kind && one.broadcastID == other.broadcastID && one.time == other.time
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(time) }

  /// A broadcaster's event as a line of JSON, as written by `holdfast publish --events`.
  public var description: String { line?.description ?? "\(time) \(broadcastID) \(kind)" }
}

extension Event.Kind {
  fileprivate init(_ event: BroadcastEvent) {
    switch event {
    case .starting: self = .starting
    case .live: self = .live
    case .previewing: self = .previewing
    case .interrupted(let cause, let until):
      self = .interrupted(InterruptionCause(as: cause), resumableUntil: WallTime(inner: until))
    case .resumed(_, let gap): self = .resumed(after: Duration(gap))
    case .backgrounded: self = .backgrounded
    case .ending(let reason): self = .ending(EndReason(as: reason))
    case .ended(let reason, let duration, let gaps):
      self = .ended(EndReason(as: reason), duration: Duration(duration), gapCount: gaps)
    case .device(let track, let state, let cause):
      self = .device(TrackKind(as: track), DeviceState(as: state), cause: cause)
    case .track(let track): self = .track(Track(track))
    case .gap(let gap): self = .gap(Gap(inner: gap))
    case .losing(let gap): self = .losing(Gap(inner: gap))
    case .clock(let step): self = .clock(by: Duration(step))
    case .output(let report): self = .output(OutputChange(report))
    case .air(let state): self = .onAir(OnAir(as: state))
    case .bitrate(let rate, let reason, _): self = .bitrate(bitsPerSecond: rate, reason: reason)
    case .recording(let path, let state): self = .recording(path: path, RecordingState(as: state))
    case .disk(let state): self = .disk(DiskState(state))
    case .timer(let update, let time): self = .session(SessionUpdate(as: update), SessionTime(time))
    case .gate(let verdict, let reason, let person):
      self = .gate(GateUpdate(as: verdict), reason: reason, by: person)
    case .mute(let track, let isMuted): self = .mute(TrackKind(as: track), isMuted: isMuted)
    case .source(let track, let source): self = .source(TrackKind(as: track), name: source)
    case .membership(let event):
      self = .membership(name: event.name, details: JSONValue.object(event.fields).description)
    case .programme(let event):
      self = .programme(name: event.name, details: JSONValue.object(event.fields).description)
    }
  }
}
