extension Session {
  /// What a request has proven about its sender.
  package struct Credential: Hashable, Sendable {
    package let standing: Standing
    /// The token's id; nil without a token.
    package let token: String?

    package init(_ standing: Standing, token: String? = nil) {
      self.standing = standing
      self.token = token
    }

    /// A worker composes and does nothing else; a participant is heard, and not everybody's picture.
    func mayJoin(as kind: Member.Kind) -> Bool {
      switch standing {
      case .host, .local: true
      case .participant: kind != .programme
      case .worker: kind == .programme
      case .operator: false
      }
    }

    /// A participant's token never makes a host.
    package var mayBeHost: Bool {
      switch standing {
      case .host, .local: true
      case .participant, .worker, .operator: false
      }
    }
  }

  /// The raw values are the roles that tokens name; `local` is the hub's own user where there are no tokens.
  package enum Standing: String, Hashable, Sendable, CaseIterable {
    case host, participant, worker, `operator`, local
  }

  /// Who gives a command.
  package enum Caller: Hashable, Sendable {
    /// By the lease of its join.
    case member(Member.ID, Lease)
    /// Without having joined, or for a member that came by the same token.
    case token(Credential, as: Member.ID? = nil)

    /// Ids of requests are their sender's own.
    package var sender: String {
      switch self {
      case .member(let id, _), .token(_, let id?): "member \(id)"
      case .token(let credential, nil): credential.token.map { "token \($0)" } ?? credential.standing.rawValue
      }
    }
  }
}
