import HoldfastMembership

/// Why somebody is not in a session, or what a command or a request to its hub failed with.
public struct SessionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure, for programmatic handling.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// No answer from a hub in time, or its store is away. A command may have been carried out.
    case unreachable
    /// The hub refuses it, and nothing has changed; `code` says why.
    case refused
    /// Not in the session, not yet or not any more.
    case notJoined
    /// A value that cannot be sent.
    case invalid
    /// The operating system refused a thread or memory.
    case system
  }

  public let kind: Kind
  /// A word for programs: the hub's, such as `locked` or `notAllowed`, where it has answered.
  public let code: String
  public let what: String
  /// What to do about it.
  public let hint: String

  /// Creates an error for a stand-in of a member.
  public init(kind: Kind, code: String, what: String, hint: String) {
    (self.kind, self.code, self.what, self.hint) = (kind, code, what, hint)
  }

  /// What failed and what to do about it.
  public var description: String { "\(what); \(hint)" }
}

extension SessionError {
  init(_ failure: HubFailure) {
    switch failure {
    case .unreachable:
      self.init(
        kind: .unreachable, code: "unreachable", what: failure.reason,
        hint: "check the address, and whether the hub is running")
    case .refused(let refusal):
      self.init(
        kind: refusal.code == "storeAway" ? .unreachable : .refused, code: refusal.code,
        what: refusal.message, hint: refusal.hint ?? "see the hub's log")
    }
  }

  init(_ obstacle: Obstacle) {
    switch obstacle {
    case .hubAway(let failure): self.init(failure)
    case .sessionAway(let refusal), .refused(let refusal): self.init(HubFailure.refused(refusal))
    case .leaseOver:
      self.init(
        kind: .notJoined, code: obstacle.code, what: obstacle.reason, hint: "it joins again by itself")
    case .password, .removed:
      self.init(kind: .refused, code: obstacle.code, what: obstacle.reason, hint: "ask the host")
    }
  }

  static func badValue(_ what: String, hint: String) -> SessionError {
    SessionError(kind: .invalid, code: "badValue", what: what, hint: hint)
  }
}
