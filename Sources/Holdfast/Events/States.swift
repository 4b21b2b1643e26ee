import HoldfastBroadcasting
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording

// The raw values are the words used in event lines.

/// The state of a broadcaster.
public enum BroadcasterState: Hashable, Sendable {
  case idle, previewing, starting, live
  /// After `resumableUntil`, a new broadcast begins instead.
  case interrupted(InterruptionCause, resumableUntil: WallTime)
  case backgrounded, ending
  case ended(EndReason)

  init(_ status: ProcessStatus) {
    switch status.state {
    case .idle: self = .idle
    case .previewing: self = .previewing
    case .starting: self = .starting
    case .live: self = .live
    case .interrupted(let cause, _):
      self = .interrupted(
        InterruptionCause(as: cause), resumableUntil: WallTime(inner: status.resumableUntil))
    case .backgrounded: self = .backgrounded
    case .ending: self = .ending
    case .ended(let reason): self = .ended(EndReason(as: BroadcastEvent.EndReason(reason)))
    }
  }
}

/// How many of its outputs a live broadcast reaches.
public enum OnAir: String, Hashable, Sendable, CaseIterable {
  case all, some, none
  /// It is not live, or has no outputs.
  case off
}

/// Why a broadcast is interrupted.
public enum InterruptionCause: String, Hashable, Sendable, CaseIterable {
  /// A user requested it.
  case user
  /// The desktop session is locked or inactive.
  case system
  /// No device delivers media.
  case device
  /// The process crashed.
  case crash
}

/// Why a broadcast has ended.
public enum EndReason: String, Hashable, Sendable, CaseIterable {
  /// On request, at the configured duration, with its files, or for the background.
  case stopped, duration, sourceEnded, background
  /// It was not resumed in time; an interruption began before it was live; the process crashed.
  case windowClosed, interruptedStart, crash
  case failed, gateRefused, gateTimedOut
  /// The session of several boxes was ended for all, or its time is over.
  case sessionOver
}

/// The state of a device.
public enum DeviceState: String, Hashable, Sendable, CaseIterable {
  case open, lost, busy
  case returned = "back"
}

/// The state of a recording's file.
public enum RecordingState: String, Hashable, Sendable, CaseIterable {
  case open, finished, failed
}

/// The state of the recording's disk.
public enum DiskState: Hashable, Sendable {
  case writing
  /// Space will soon run out.
  case low
  /// Slower than the media arrives.
  case slow
  /// Out of space; recording continues once there is some.
  case full
  /// Writing fails for this reason and is retried.
  case failed(String)

  init(_ inner: HoldfastRecording.DiskState) {
    switch inner {
    case .writing: self = .writing
    case .low: self = .low
    case .slow: self = .slow
    case .full: self = .full
    case .failed: self = .failed(inner.cause ?? "unknown")
    }
  }
}

/// The request to a gate, or its verdict.
public enum GateUpdate: String, Hashable, Sendable, CaseIterable {
  case asked, passed, refused, timedOut
}

/// A notification about the session's time.
public enum SessionUpdate: String, Hashable, Sendable, CaseIterable {
  /// The time runs, was extended, is paused, or is over.
  case running, extended, paused, over
  /// The end is near; the countdown follows each second.
  case alert, countdown
}

/// The time of a session.
public struct SessionTime: Hashable, Sendable {
  /// When the session went live; nil before that.
  public var startedAt: WallTime?
  /// When the session ends; nil without a limit or while its time is paused.
  public var endsAt: WallTime?
  /// The remaining time; nil without a limit.
  public var remaining: Duration?

  /// Creates the time of a session that has not gone live.
  public init() {}

  init(_ status: TimerStatus) {
    (startedAt, endsAt) = (status.startedAt.map(WallTime.init), status.endsAt.map(WallTime.init))
    remaining = status.left.map(Duration.init)
  }
}
