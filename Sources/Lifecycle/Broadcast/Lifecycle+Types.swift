package import HoldfastMediaModel

extension Lifecycle {
  package struct Settings: Hashable, Sendable {
    package var resumeWindow = MediaTime.seconds(120)
    /// The first attempts of the outputs are waited for no longer.
    package var attemptLimit = MediaTime.seconds(5)
    /// Somebody is asked before a broadcast goes live.
    package var hasGate = false
    /// And before one that was interrupted goes on.
    package var asksGateAgain = false
    package var gateLimit = MediaTime.seconds(5)
    package var passesSilentGate = true
    /// What was captured is sent, and everything closed, within this time.
    package var drainLimit = MediaTime.seconds(2)
    /// Devices that can't be opened are tried again after this time.
    package var deviceRetry = MediaTime.seconds(1)

    package init() {}
  }

  /// What has happened. Where a number stands, it is the one of the action that is answered.
  package enum Event: Hashable, Sendable {
    case command(Command)
    /// Devices are to be open, without a broadcast.
    case previewRequested
    /// A crash has left a broadcast behind that may still be resumed, for as long as this.
    case resumeAfterCrashRequested(windowLeft: MediaTime)

    case devicesOpened(Int)
    case devicesFailed(Int)
    /// Each output has been accepted, refused or has failed once.
    case firstAttemptsDecided(Int)
    case gatePassed(Int)
    case gateRefused(Int)
    case paused(Int)
    case closed(Int)
    case timerFired(Int)

    case interruptionBegan(Cause)
    case interruptionEnded(Cause)

    /// The broadcast has lasted as long as it was to.
    case timeWasUp
    /// So has the session, whose time may go on in the background.
    case sessionWasOver
    /// The files that are broadcast have come to their end.
    case sourcesEnded
    /// Nobody is left who takes this broadcast, or nothing comes that could be taken.
    case failed
  }

  /// What is to be done. Each number is a new one, but for the timer that limits an action: it has the action's.
  package enum Action: Hashable, Sendable {
    /// Answered by `devicesOpened` or `devicesFailed`, which leaves nothing open.
    case openDevices(Int)
    /// Also where they are only being opened.
    case closeDevices
    /// Make a new broadcast, and let its outputs connect. Nothing is recorded or sent. Answered by `firstAttemptsDecided`.
    case begin(Int)
    /// Take the broadcast that a crash has left; it is paused until it is resumed.
    case resumeAfterCrash
    case askGate(Int)
    case withdrawGate
    case goLive
    /// Media time stands still. What was captured is encoded, sent and written to disk; then the outputs say good-bye.
    /// Answered by `paused`.
    case pause(Int)
    /// Media time goes on where it stood, in the same recording, at the same outputs.
    case resume
    /// Send and record what was captured, say good-bye, finish the recording. Answered by `closed`. What was begun without
    /// going live leaves nothing.
    case close(Int, EndReason)
    /// The time to close is over: hang up without a word, and leave the recording's finish to itself.
    case abandon
    case setTimer(Int, after: MediaTime)
    /// Of a timer that was set and has not fired.
    case cancelTimer(Int)
    /// The state has changed. It is always the last action.
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

  /// Why a broadcast is interrupted. The raw values stand in event lines, a stable interface.
  package enum Cause: String, Hashable, Sendable, CaseIterable {
    case user
    case system
    /// No device gives anything, though it could be opened. It ends with its device's return, or with `closeDevices`.
    case device
    /// The process that made the broadcast came to a sudden end.
    case crash
  }

  /// Why a broadcast, or the process' life, is over.
  package enum EndReason: String, Hashable, Sendable, CaseIterable {
    case stopped
    case duration
    case sourceEnded
    case failed
    case noDevice
    case gateRefused
    case gateTimedOut
    case background
    case windowClosed
    case interruptedStart
  }
}
