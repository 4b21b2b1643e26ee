internal import HoldfastLifecycle
internal import HoldfastMediaModel

extension Configuration {
  /// How long it may last, and who is asked before.
  func validateSession() throws(ConfigurationError) {
    for (setting, time) in [(Setting.maxDuration, maxDuration), (.maxTotal, maxTotal)] {
      try require(
        time.map { $0 > .zero && $0 <= SessionTimer.longest } ?? true, setting,
        why: "out of range", remedy: "it may be more than 0, and 366 days at most")
    }
    if let maxTotal, let maxDuration {
      try require(
        maxTotal >= maxDuration, .maxTotal, .maxDuration,
        why: "all of it would be shorter than its first part", remedy: "write a longer --max-total")
    }
    try require(
      alertBefore >= .zero && alertBefore <= .seconds(86_400), .alertBefore,
      why: "out of range", remedy: "it may be 0 to 24h")
    try require(
      gateTimeout >= .milliseconds(100) && gateTimeout <= .seconds(3600), .gateTimeout,
      why: "out of range", remedy: "it may be 100ms to 1h")
    try require(
      !gateOnResume || gate != nil || awaitReady, .gateOnResume,
      why: "there is no gate to ask", remedy: "name one with --gate, or add --await-ready")
  }

  var sessionSettings: SessionTimer.Settings {
    var settings = SessionTimer.Settings()
    settings.maxDuration = maxDuration ?? maxTotal
    settings.maxTotal = maxTotal
    settings.alertBefore = alertBefore
    settings.countsInterruptions = countInterruptions
    return settings
  }

  func lifecycleSettings(hasGate: Bool) -> Lifecycle.Settings {
    var settings = Lifecycle.Settings()
    settings.resumeWindow = resumeWindow
    settings.hasGate = hasGate
    settings.gateLimit = gateTimeout
    settings.passesSilentGate = onGateTimeout == .pass
    settings.asksGateAgain = gateOnResume
    return settings
  }
}
