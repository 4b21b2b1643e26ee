package import HoldfastMediaModel
package import HoldfastSession
package import HoldfastStores

extension Session.Name {
  /// The session of most tests.
  package static let hall = (try? Session.Name("Hall")) ?? .clock
}

extension Session.Caller {
  package static func host(_ token: String) -> Session.Caller {
    .token(Session.Credential(.host, token: token))
  }
}

extension Session.Join {
  /// Of a member whose id has a number.
  package init(_ key: String, _ number: Int, _ kind: Session.Member.Kind = .box) throws {
    let digits = String(number)
    guard let id = Session.Member.ID(String(repeating: "a", count: 16 - digits.count) + digits) else {
      throw StoreError.away(.failed("no member's id: \(number)"))
    }
    self.init(key: key, name: try Session.DisplayName(key), kind: kind, id: id)
  }
}

extension Store {
  /// A host joins; returns its lease.
  @discardableResult
  package mutating func join(
    _ name: Session.Name = .hall, _ key: String = "anna", _ number: Int = 1,
    _ kind: Session.Member.Kind = .box
  ) throws -> Session.Lease {
    let join = try Session.Join(key, number, kind)
    let answer = try perform(in: name, by: .host(key)) { _ in .join(join) }
    guard let lease = try load(name, asking: nil).session.meeting?[join.id]?.lease else {
      throw StoreError.away(.failed("no lease after \(answer)"))
    }
    return lease
  }
}

extension StoreCommit {
  /// What a command makes of a session.
  package init(
    _ loaded: LoadedSession, _ command: Session.Command, by caller: Session.Caller = .host("local"),
    request: StoreRequest? = nil, answer: String = "done", due: WallTime? = nil
  ) throws {
    var session = loaded.session
    let events = try session.apply(command, by: caller, at: loaded.now).get()
    self.init(loaded, becomes: session, events: events, request: request, answer: answer, due: due)
  }
}

/// Why a verb found the store away; nil if it did not.
package func trouble<Result>(_ verb: () throws -> Result) -> StoreTrouble? {
  do {
    _ = try verb()
    return nil
  } catch {
    guard case .away(let trouble)? = error as? StoreError else {
      return .failed("no error of a store: \(error)")
    }
    return trouble
  }
}

extension StoreTrouble {
  package var isLost: Bool { if case .lost = self { true } else { false } }
  package var isFull: Bool { if case .full = self { true } else { false } }
  package var isReadOnly: Bool { if case .readOnly = self { true } else { false } }
  package var isFailed: Bool { if case .failed = self { true } else { false } }
}
