import HoldfastLifecycle

package enum Capability: String, Hashable, Sendable, CaseIterable {
  /// See status, events, sources, pictures and metrics.
  case view
  case mute
  /// Pause and resume.
  case interrupt
  case switchCamera
  case bitrate
  /// Insert data into the outputs.
  case sendEvent
  /// Say ready to the gate.
  case ready
  /// Say to the gate that it is not ready.
  case refuse
  case changeMaxDuration
  /// Start and end a broadcast, and whatever else decides whether there is one.
  case end
  /// Issue and revoke tokens.
  case grant

  /// What most requests that need it do, for people.
  var purpose: String {
    switch self {
    case .view: "watch the broadcast"
    case .mute: "mute a track"
    case .interrupt: "interrupt the broadcast"
    case .switchCamera: "switch the source"
    case .bitrate: "change the bitrate"
    case .sendEvent: "send events"
    case .ready: "say ready"
    case .refuse: "refuse going live"
    case .changeMaxDuration: "extend the session"
    case .end: "end the broadcast"
    case .grant: "issue tokens"
    }
  }
}

extension Lifecycle.Command {
  /// For people.
  var purpose: String {
    switch self {
    case .start: "start a broadcast"
    case .interrupt: "interrupt the broadcast"
    case .resume: "resume the broadcast"
    case .background: "send the broadcast to the background"
    case .foreground: "bring the broadcast back from the background"
    case .end: "end the broadcast"
    case .stop: "stop the program"
    }
  }

  var requiredCapability: Capability {
    switch self {
    case .interrupt, .resume: .interrupt
    case .start, .background, .foreground, .end, .stop: .end
    }
  }
}
