package import HoldfastMediaModel
package import HoldfastSession
package import HoldfastStores

extension RedisStore: Store {
  package func load(_ name: Session.Name, asking request: StoreRequest?) throws(StoreError) -> LoadedSession {
    let keys = SessionKeys(name)
    let asked = request.map { [keys.asked($0)] } ?? []
    let before = sessions?.newest(name)
    let call = ScriptCall(
      .load, keys: [keys.state, keys.beat, keys.statistics] + asked,
      [
        Self.microseconds(StoreRequest.memory),
        before.map { "\($0.version.epoch)-\($0.version.count)" } ?? "",
      ])
    let (reply, epoch, known) = try verb { limit throws(RedisFailure) in
      let reply = try run(call, until: limit)
      let epoch = Session.Epoch(number: try understood(reply.number(1)), began: try understood(reply.time(2)))
      let known = try self.known(reply[9], to: request, until: limit)
      return (reply, epoch, known)
    }
    var session = Session(name, epoch: epoch)
    switch reply[6] {
    case .nothing: break
    case .text(""): session = before?.session ?? session
    case .text(let stored):
      do throws(Session.FormError) {
        session = try Session(stored: stored)
      } catch {
        throw .unreadable(error)
      }
    case .garbled, .integer, .list, .error: throw .unreadable(.notJSON)
    }
    session.begin(epoch)
    let loaded = try verb { _ throws(RedisFailure) in
      LoadedSession(
        session: session,
        version: StoreVersion(epoch: epoch.number, count: try understood(reply.number(4))),
        beats: try understood(reply.byLease(7) { WallTime(microseconds: $0) }),
        statistics: try understood(reply.byLease(8) { $0 }),
        lastEvent: EventID(epoch: epoch.number, sequence: try understood(reply.number(5))),
        now: try understood(reply.time(3)), known: known)
    }
    sessions?.keep(loaded)
    return loaded
  }

  package func commit(_ commit: StoreCommit) throws(StoreError) -> CommitResult {
    let call = ScriptCall(commit)
    return try verb(call) { reply, limit throws(RedisFailure) in
      let epoch = try understood(reply.number(1))
      switch reply.word {
      case ScriptAnswer.done:
        let event = EventID(epoch: epoch, sequence: try understood(reply.number(3)))
        let version = StoreVersion(epoch: epoch, count: try understood(reply.number(2)))
        sessions?.keep(commit, as: version, lastEvent: event, at: try understood(reply.time(5)))
        if commit.needsReplica, reply.number(4) ?? 0 > 0 { try waitForReplica(until: limit) }
        return .committed(version, lastEvent: event)
      case "conflict":
        return .conflict
      case "renewed":
        return .renewed(try understood(reply[2].text.flatMap { Session.Lease($0) }))
      default:
        return .known(try understood(try known(reply[2], to: commit.request, until: limit)))
      }
    }
  }

  package func beat(
    _ lease: Session.Lease, statistics: String?, in name: Session.Name
  ) throws(StoreError) -> StoreVersion? {
    let keys = SessionKeys(name)
    let call = ScriptCall(
      .beat, keys: [keys.state, keys.beat, keys.statistics],
      ["\(lease)", "\(lease.epoch)"] + (statistics.map { [$0] } ?? []))
    return try verb(call) { reply, _ throws(RedisFailure) in
      guard reply.word == ScriptAnswer.done else { return nil }
      return StoreVersion(epoch: try understood(reply.number(1)), count: try understood(reply.number(2)))
    }
  }

  package func levels(
    _ scores: String, of lease: Session.Lease, in name: Session.Name
  ) throws(StoreError) -> [Session.Lease: String]? {
    let keys = SessionKeys(name)
    let call = ScriptCall(
      .levels, keys: [keys.state, keys.beat, keys.levels], ["\(lease)", "\(lease.epoch)", scores])
    return try verb(call) { reply, _ throws(RedisFailure) in
      guard reply.word == ScriptAnswer.done else { return nil }
      return try understood(reply.byLease(2) { $0 })
    }
  }

  package func heard(in name: Session.Name) throws(StoreError) -> [Session.Lease: String] {
    let call = ScriptCall(.heard, keys: [SessionKeys(name).levels])
    return try verb(call) { reply, _ throws(RedisFailure) in
      return try understood(reply.byLease(2) { $0 })
    }
  }

  package func read(_ name: Session.Name, after event: EventID) throws(StoreError) -> EventPage {
    let keys = SessionKeys(name)
    let call = ScriptCall(.read, keys: [keys.state, keys.events], ["\(event.epoch)", "\(event.sequence)"])
    return try verb(call) { reply, _ throws(RedisFailure) in
      guard reply.word == ScriptAnswer.done else { return .reset }
      let texts = try understood(reply.texts(2))
      return .events(
        texts.enumerated().map { index, json in
          StoredEvent(
            id: EventID(epoch: event.epoch, sequence: event.sequence + UInt64(index) + 1), json: json)
        })
    }
  }

  package func changes(after change: EventID?) throws(StoreError) -> ChangePage {
    let after = change.map { ["\($0.epoch)", "\($0.sequence)"] } ?? ["", ""]
    let call = ScriptCall(.changes, keys: [StoreKeys.changed], after)
    return try verb(call) { reply, _ throws(RedisFailure) in
      let last = EventID(epoch: try understood(reply.number(1)), sequence: try understood(reply.number(2)))
      guard reply.word == ScriptAnswer.done else { return .any(upTo: last) }
      let names = Set(try understood(reply.texts(3)).map { try? Session.Name($0) })
      // A name that this hub's rules don't allow is of a session that it can't read either.
      return .sessions(names.compactMap(\.self).sorted { $0.folded < $1.folded }, upTo: last)
    }
  }

  package func due(within time: MediaTime) throws(StoreError) -> [Session.Name] {
    let call = ScriptCall(.due, keys: [StoreKeys.due], [Self.microseconds(time)])
    return try verb { limit throws(RedisFailure) in
      try repairDue(until: limit)
      let reply = try run(call, until: limit)
      return try understood(reply.texts(2)).compactMap { try? Session.Name($0) }
    }
  }

  package func postpone(_ name: Session.Name, to due: WallTime?, expected: StoreVersion) throws(StoreError) {
    let call = ScriptCall(
      .postpone, keys: [SessionKeys(name).state, StoreKeys.due],
      ["\(expected.epoch)", "\(expected.count)", name.text, due.map { "\($0.microseconds)" } ?? ""])
    try verb { limit throws(RedisFailure) in _ = try run(call, until: limit) }
  }

  static func microseconds(_ time: MediaTime) -> String { "\(time.nanoseconds / 1000)" }
}

// MARK: - Requests that are known

extension RedisStore {
  /// What is known of a request; if a replica must have it, once one has.
  private func known(
    _ reply: RedisReply, to request: StoreRequest?, until limit: TimeLimit
  ) throws(RedisFailure) -> KnownRequest? {
    guard let request, let kept = reply.text else { return nil }
    let answer = try understood(KnownAnswer(kept, to: request))
    if answer.needsReplica, case .answered = answer.known {
      let marked = try run(ScriptCall(.mark), until: limit)
      if marked.number(2) ?? 0 > 0 { try waitForReplica(until: limit) }
    }
    return answer.known
  }

  private static let replicaTimeout = MediaTime.seconds(1)

  /// Waits until a replica has all that this connection has written.
  func waitForReplica(until limit: TimeLimit) throws(RedisFailure) {
    // Redis' own limit ends first, so that its answer does not come too late.
    let rest = MediaTime(nanoseconds: limit.rest.nanoseconds * 3 / 4)
    let timeout = max(1, Int(min(Self.replicaTimeout, rest).milliseconds))
    // Another connection has written nothing that a replica could lack.
    guard isConnected() else {
      throw lost(.connection(.lost("\(server) ended the connection before a replica confirmed the change")))
    }
    switch try ask([["WAIT", "1", "\(timeout)"]], until: limit)[0] {
    case .integer(let confirmations) where confirmations > 0: return
    case .integer: throw .refusal(.notConfirmed)
    case .error(let text): throw lost(RedisFailure(text, from: server))
    case .text, .garbled, .list, .nothing: throw lost(.unexpected(server))
    }
  }
}

extension ScriptCall {
  fileprivate init(_ commit: StoreCommit) {
    let keys = SessionKeys(commit.name)
    var (expired, removed, added): ([String], [String], [String]) = ([], [], [])
    for change in commit.presence {
      switch change {
      case .expire(_, let lease): expired.append("\(lease)")
      case .remove(_, let lease): removed.append("\(lease)")
      case .add(_, let lease): added.append("\(lease)")
      }
    }
    let request = commit.request
    self.init(
      .commit,
      keys: [
        keys.state, keys.beat, keys.events, keys.statistics, keys.levels, StoreKeys.due, StoreKeys.changed,
      ] + (request.map { [keys.asked($0)] } ?? []),
      [
        "\(commit.expected.epoch)", "\(commit.expected.count)", commit.session.name.text,
        commit.session.isForgotten ? "" : commit.session.stored,
        commit.due.map { "\($0.microseconds)" } ?? "", RedisStore.microseconds(Session.Limits.lease),
        RedisStore.microseconds(StoreRequest.memory), request.map(KnownAnswer.digest) ?? "",
        commit.needsReplica ? "1" : "0", commit.answer, "\(expired.count)", "\(removed.count)",
        "\(added.count)",
      ] + expired + removed + added + commit.events)
  }
}
