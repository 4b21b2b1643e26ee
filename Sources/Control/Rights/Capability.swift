import HoldfastLifecycle

package enum Capability: String, Hashable, Sendable, CaseIterable {
  /// See status, events, sources, pictures and metrics.
  case view
  case mute
  /// Pause and resume.
  case interrupt
  case switchCamera
  case bitrate
  /// Insert data into the outputs, and answer the gate.
  case sendEvent
  case changeMaxDuration
  /// Start and end a broadcast, and whatever else decides whether there is one.
  case end
  /// Issue and revoke tokens.
  case grant
}

extension Lifecycle.Command {
  var requiredCapability: Capability {
    switch self {
    case .interrupt, .resume: .interrupt
    case .start, .background, .foreground, .end, .stop: .end
    }
  }
}
