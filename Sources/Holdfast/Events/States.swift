internal import HoldfastBroadcasting
internal import HoldfastLifecycle
internal import HoldfastMediaModel
internal import HoldfastRecording

// The raw values are the words of event lines.

/// What a broadcaster is doing.
public enum BroadcasterState: Hashable, Sendable {
  case idle, previewing, starting, live
  case interrupted(InterruptionCause)
  case backgrounded, ending, ended

  init(_ inner: Lifecycle.State) {
    switch inner {
    case .idle: self = .idle
    case .previewing: self = .previewing
    case .starting: self = .starting
    case .live: self = .live
    case .interrupted(let cause, _): self = .interrupted(InterruptionCause(as: cause))
    case .backgrounded: self = .backgrounded
    case .ending: self = .ending
    case .ended: self = .ended
    }
  }
}

/// Why a broadcast is interrupted.
public enum InterruptionCause: String, Hashable, Sendable, CaseIterable {
  /// Somebody asked for it.
  case user
  /// The session at the screen is locked or not active.
  case system
  /// No device gives anything.
  case device
  /// The program came to a sudden end.
  case crash
}

/// Why a broadcast is over.
public enum EndReason: String, Hashable, Sendable, CaseIterable {
  case stopped, duration, sourceEnded, background, windowClosed, interruptedStart, crash, failed, gateRefused,
    gateTimedOut
}

/// What has become of a device.
public enum DeviceState: String, Hashable, Sendable, CaseIterable {
  case open, lost, busy, back
}

/// What has become of a recording's file.
public enum RecordingState: String, Hashable, Sendable, CaseIterable {
  case open, finished, failed
}

/// How the recording's disk is.
public enum DiskState: Hashable, Sendable {
  case writing
  /// There will not be room for long.
  case low
  /// It takes the data more slowly than it comes.
  case slow
  /// There is no room: the recording goes on when there is some.
  case full
  /// It refuses to be written, for this reason, and is tried again.
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

/// What a gate has been asked, or has said.
public enum GateVerdict: String, Hashable, Sendable, CaseIterable {
  case asked, passed, refused, timedOut
}

/// What is announced of a session's time.
public enum SessionNews: String, Hashable, Sendable, CaseIterable {
  case running, extended, alert, countdown, paused, over
}

/// How a session's time stands.
public struct SessionTime: Hashable, Sendable {
  let inner: TimerStatus

  /// Nil before it is live.
  public var startedAt: WallTime? { inner.startedAt.map(WallTime.init) }
  /// Nil where there is no limit, or the time stands still.
  public var endsAt: WallTime? { inner.endsAt.map(WallTime.init) }
  /// Nil where there is no limit.
  public var left: Duration? { inner.left.map(Duration.init) }
}
