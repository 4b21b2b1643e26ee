internal import HoldfastBroadcasting
internal import HoldfastLifecycle
internal import HoldfastMediaModel
internal import HoldfastRecording

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
    case .interrupted(let cause, _): self = .interrupted(InterruptionCause(cause))
    case .backgrounded: self = .backgrounded
    case .ending: self = .ending
    case .ended: self = .ended
    }
  }
}

/// Why a broadcast is interrupted.
public enum InterruptionCause: Hashable, Sendable, CaseIterable {
  /// Somebody asked for it.
  case user
  /// The session at the screen is locked or not active.
  case system
  /// No device gives anything.
  case device
  /// The program came to a sudden end.
  case crash

  init(_ inner: Lifecycle.Cause) {
    switch inner {
    case .user: self = .user
    case .system: self = .system
    case .device: self = .device
    case .crash: self = .crash
    }
  }
}

/// Why a broadcast is over.
public enum EndReason: Hashable, Sendable, CaseIterable {
  case stopped, duration, sourceEnded, background, windowClosed, interruptedStart, crash, failed, gateRefused,
    gateTimedOut

  init(_ inner: BroadcastEvent.EndReason) {
    switch inner {
    case .stopped: self = .stopped
    case .duration: self = .duration
    case .sourceEnded: self = .sourceEnded
    case .background: self = .background
    case .windowClosed: self = .windowClosed
    case .interruptedStart: self = .interruptedStart
    case .crash: self = .crash
    case .failed: self = .failed
    case .gateRefused: self = .gateRefused
    case .gateTimedOut: self = .gateTimedOut
    }
  }
}

/// What has become of a device.
public enum DeviceState: Hashable, Sendable, CaseIterable {
  case open, lost, busy, back

  init(_ inner: BroadcastEvent.DeviceState) {
    switch inner {
    case .open: self = .open
    case .lost: self = .lost
    case .busy: self = .busy
    case .back: self = .back
    }
  }
}

/// What has become of a recording's file.
public enum RecordingState: Hashable, Sendable, CaseIterable {
  case open, finished, failed

  init(_ inner: BroadcastEvent.RecordingState) {
    switch inner {
    case .open: self = .open
    case .finished: self = .finished
    case .failed: self = .failed
    }
  }
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
public enum GateVerdict: Hashable, Sendable, CaseIterable {
  case asked, passed, refused, timedOut

  init(_ inner: BroadcastEvent.GateVerdict) {
    switch inner {
    case .asked: self = .asked
    case .passed: self = .passed
    case .refused: self = .refused
    case .timedOut: self = .timedOut
    }
  }
}

/// What is announced of a session's time.
public enum SessionNews: Hashable, Sendable, CaseIterable {
  case running, extended, alert, countdown, paused, over

  init(_ inner: SessionTimer.News) {
    switch inner {
    case .running: self = .running
    case .extended: self = .extended
    case .alert: self = .alert
    case .countdown: self = .countdown
    case .paused: self = .paused
    case .over: self = .over
    }
  }
}

/// How a session's time stands.
public struct SessionTime: Hashable, Sendable {
  /// Nil before it is live.
  public let startedAt: WallTime?
  /// Nil where there is no limit, or the time stands still.
  public let endsAt: WallTime?
  /// Nil where there is no limit.
  public let left: Duration?

  init(_ inner: TimerStatus) {
    startedAt = inner.startedAt.map(WallTime.init)
    endsAt = inner.endsAt.map(WallTime.init)
    left = inner.left.map(Duration.init)
  }
}
