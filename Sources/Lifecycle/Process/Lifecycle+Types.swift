package import HoldfastMediaModel

extension Lifecycle {
  package struct Settings: Hashable, Sendable {
    package var resumeWindow = MediaTime.seconds(120)
    /// Maximum wait for the outputs' first connection attempts, before the gate is asked.
    package var firstAttemptTimeout = MediaTime.seconds(5)
    /// Maximum wait for the first output, where nothing is recorded; nil to try for ever.
    package var startTimeout: MediaTime?
    /// Ask the gate before a broadcast goes live.
    package var hasGate = false
    /// Ask the gate before an interrupted broadcast resumes.
    package var asksGateOnResume = false
    package var gateTimeout = MediaTime.seconds(5)
    package var passesOnGateTimeout = true
    /// Time limit for sending what was captured and closing everything.
    package var drainTimeout = MediaTime.seconds(2)
    package var deviceRetryDelay = MediaTime.seconds(1)
    /// Otherwise devices that can't be opened at the first start end it.
    package var waitsForDevices = false

    package init() {}
  }

  /// What has happened. A number is that of the action being answered.
  package enum Event: Hashable, Sendable {
    case command(Command)
    case previewRequested
    /// A crash interrupted a broadcast, which may be resumed within `windowLeft`, or once the user's interruption
    /// has ended.
    case resumeAfterCrashRequested(windowLeft: MediaTime, isOffAir: Bool = false)
    /// The user took an earlier process off air, and it left nothing to resume. An interruption with `windowLeft`
    /// can end as if nothing had happened.
    case offAirRequested(OffAir, windowLeft: MediaTime? = nil)

    case devicesOpened(Int)
    case devicesFailed(Int)
    /// Each output is connected or refused, or has failed once.
    case prepared(Int)
    /// The gate is running.
    case gateBegan(Int)
    case gatePassed(Int)
    case gateRefused(Int)
    /// The recording has begun, or an output publishes.
    case wentLive
    case paused(Int)
    /// Answers `pause`: nothing has gone out yet, so there is nothing to resume.
    case nothingBegun(Int)
    case closed(Int)
    case timerFired(Int)

    case interruptionBegan(Cause)
    case interruptionEnded(Cause)
    case sleepBegan
    case sleepEnded

    /// The broadcast reached its maximum duration.
    case maxDurationReached
    /// The session reached its maximum duration, possibly in the background.
    case sessionExpired
    /// The session of several boxes was ended for all, or its time is over.
    case sharedSessionOver
    case sourcesEnded
    /// No receiver is left for the broadcast, or no media arrives that could be sent.
    case failed
  }

  /// What is to be done. Each number is new, except that a timer limiting an action has the action's.
  package enum Action: Hashable, Sendable {
    /// Answered by `devicesOpened`, or by `devicesFailed`, which leaves none open.
    case openDevices(Int)
    case closeDevices
    case openBroadcast
    /// Connect its outputs without publishing. Answered by `prepared`.
    case prepare(Int)
    /// Adopt the broadcast that a crash interrupted; it is paused until `resume`.
    case resumeAfterCrash
    case askGate(Int)
    case cancelGate
    /// Publish and record. Answered by `wentLive`.
    case goLive
    /// Stop media time; encode, send and write what was captured; disconnect cleanly. Answered by `paused` or
    /// `nothingBegun`.
    case pause(Int)
    /// Media time continues where it stopped, with the same recording and outputs.
    case resume
    /// Send and record what was captured, disconnect cleanly, end any recording. Answered by `closed`.
    case close(Int, EndReason)
    case setTimer(Int, after: MediaTime)
    case cancelTimer(Int)
    /// The new state; always the last action.
    case report(State)
  }

  package enum State: Hashable, Sendable {
    case idle
    case previewing
    case starting
    case live
    case interrupted(Cause, resumableUntil: MonotonicTime)
    case backgrounded
    case ending
    case ended(EndReason)
  }

  /// How the user keeps the process off air; only the user's word ends it, whatever else happens.
  package enum OffAir: Hashable, Sendable {
    case interrupted, backgrounded
  }

  /// Why a broadcast is interrupted. The raw values appear in event lines, a stable interface.
  package enum Cause: String, Hashable, Sendable, CaseIterable {
    case user
    case system
    /// No open device delivers anything. Ends when the device returns, or with `closeDevices`.
    case device
    case crash
  }

  package enum EndReason: String, Hashable, Sendable, CaseIterable {
    case stopped
    case duration
    case sessionOver
    case sourceEnded
    case failed
    case noDevice
    /// No output has published in time.
    case startTimedOut
    case gateRefused
    case gateTimedOut
    case gateNotBegun
    case background
    case windowClosed
    case interruptedStart
  }
}
