/// What somebody is to a broadcast; how tokens write it.
package enum Role: String, Hashable, Sendable, CaseIterable {
  case host, manager, participant

  /// The table of who may do what.
  package var capabilities: Set<Capability> {
    switch self {
    case .host: Set(Capability.allCases)
    case .manager: [.view, .mute, .interrupt, .switchCamera, .bitrate, .sendEvent, .changeMaxDuration]
    case .participant: [.view]
    }
  }
}
