internal import HoldfastLifecycle
package import HoldfastMediaModel
package import HoldfastRecording

extension Configuration {
  /// How long a broadcast may last, what becomes of it when it is interrupted, and who is asked before.
  package struct Session: Hashable, Sendable {
    /// When the broadcast ends by itself; nil for when it is stopped.
    package var duration: MediaTime?
    /// How long an interruption may last and still be resumed.
    package var resumeWindow = MediaTime.seconds(120)
    /// What a start does about a broadcast that came to a sudden end.
    package var afterCrash = AfterCrash.withinWindow
    /// Devices are opened and looked at; the broadcast waits for a command.
    package var preview = false
    /// How long a session may last from when it goes live; nil for as long as it likes.
    package var maxDuration: MediaTime?
    /// And with all that it is extended by; nil for any time.
    package var maxTotal: MediaTime?
    /// So long before its end it is said that it comes.
    package var alertBefore = MediaTime.seconds(60)
    /// A session's time goes on while it is interrupted.
    package var countsInterruptions = true
    package var gate = Gate()
  }

  package struct Gate: Hashable, Sendable {
    /// What the shell runs to know whether a broadcast may go live.
    package var command: String?
    /// Somebody has to say that it may, over the control API.
    package var awaitsReady = false
    package var timeout = MediaTime.seconds(5)
    package var onTimeout = SilentGate.pass
    /// The gate is asked before an interrupted broadcast goes on, too.
    package var onResume = false
  }

  func validateSession() throws(ConfigurationError) {
    for (setting, time) in [(Setting.maxDuration, session.maxDuration), (.maxTotal, session.maxTotal)] {
      try require(
        time.map { $0 > .zero && $0 <= SessionTimer.longest } ?? true, setting,
        why: "out of range", remedy: "it may be more than 0, and 366 days at most")
    }
    if let maxTotal = session.maxTotal, let maxDuration = session.maxDuration {
      try require(
        maxTotal >= maxDuration, .maxTotal, .maxDuration,
        why: "all of it would be shorter than its first part", remedy: "write a longer --max-total")
    }
    try require(
      session.alertBefore >= .zero && session.alertBefore <= .seconds(86_400), .alertBefore,
      why: "out of range", remedy: "it may be 0 to 24h")
    try require(
      session.gate.timeout >= .milliseconds(100) && session.gate.timeout <= .seconds(3600), .gateTimeout,
      why: "out of range", remedy: "it may be 100ms to 1h")
    try require(
      !session.gate.onResume || session.gate.command != nil || session.gate.awaitsReady, .gateOnResume,
      why: "there is no gate to ask", remedy: "name one with --gate, or add --await-ready")
  }

  var sessionSettings: SessionTimer.Settings {
    var settings = SessionTimer.Settings()
    settings.maxDuration = session.maxDuration ?? session.maxTotal
    settings.maxTotal = session.maxTotal
    settings.alertBefore = session.alertBefore
    settings.countsInterruptions = session.countsInterruptions
    return settings
  }

  func lifecycleSettings(hasGate: Bool) -> Lifecycle.Settings {
    var settings = Lifecycle.Settings()
    settings.resumeWindow = session.resumeWindow
    settings.hasGate = hasGate
    settings.gateLimit = session.gate.timeout
    settings.passesSilentGate = session.gate.onTimeout == .pass
    settings.asksGateAgain = session.gate.onResume
    return settings
  }
}

/// What a gate's silence means.
package enum SilentGate: String, Hashable, Sendable, CaseIterable {
  case pass, refuse
}
