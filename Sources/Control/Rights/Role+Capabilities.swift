import HoldfastHTTP
package import HoldfastTokens

/// What a role may do in a broadcast.
extension Role {
  package var capabilities: Set<Capability> {
    switch self {
    case .host: Set(Capability.allCases)
    case .manager:
      [.view, .mute, .interrupt, .switchCamera, .bitrate, .sendEvent, .ready, .refuse, .changeMaxDuration]
    case .participant: [.view, .ready]
    case .worker, .operator: []
    }
  }
}

extension Caller {
  package func may(_ capability: Capability) -> Bool { role.capabilities.contains(capability) }

  package var capabilities: [Capability] { Capability.allCases.filter(may) }
}

extension APIError {
  init(_ caller: Caller, mayNot purpose: String) {
    self.init(
      403, "notAllowed", "a \(caller.role.rawValue) may not \(purpose)",
      hint: "ask the host, or use a token with another role")
  }
}
