package import HoldfastMediaModel
import HoldfastPlatform
package import HoldfastSession
package import HoldfastStores

/// What a hub does for members and others, with whichever store it is given: it knows no connection and no thread.
package struct HubService: Sendable {
  package let keys: HubKeys
  let hasher: PasswordHasher
  let media: MediaAddresses
  /// Every token may create a session.
  let anyoneCreates: Bool
  package let cache: SessionCache

  package init(
    keys: HubKeys, hasher: PasswordHasher = .scrypt, media: MediaAddresses = MediaAddresses(),
    anyoneCreates: Bool = false, cache: SessionCache = SessionCache()
  ) {
    self.cache = cache
    self.keys = keys
    self.hasher = hasher
    self.media = media
    self.anyoneCreates = anyoneCreates
  }
}

// MARK: - Joining

extension HubService {
  /// `newID` is the member's if it is new; `now` is the hub's clock, for the life of media keys. `guess` compares a password, or
  /// refuses to.
  package func join(
    _ request: Session.JoinRequest, to name: Session.Name, by credential: Session.Credential,
    newID: Session.Member.ID, at now: WallTime,
    guess: (_ isRight: () -> Bool) throws(HubFailure) -> Bool = { $0() }, in store: inout some Store
  ) throws(HubFailure) -> Session.JoinAnswer {
    var join = Session.Join(
      key: try Self.hash(ofKey: request.key), name: try displayName(request.name), kind: request.kind,
      id: newID)
    join.anyoneCreates = anyoneCreates
    join.lifted = request.lifted
    join.proof = request.proof.flatMap {
      keys.proof($0, in: name, key: join.key, token: credential.token)
    }
    let password = try request.password.map { (text) throws(HubFailure) in try checkedPassword(text) }
    var verdicts: [Session.PasswordHash: Bool] = [:]
    var newPassword: Session.PasswordHash?
    var failure: HubFailure?
    let caller = Session.Caller.token(credential)
    // Repeated with another password or proof, it is the same join.
    let stored = request.requestID.map {
      StoreRequest(sender: "\(caller.sender) \(join.key)", id: $0, command: "join")
    }
    let answer: String
    do throws(HubFailure) {
      answer = try perform(in: name, by: caller, request: stored, in: &store) { loaded in
        var join = join
        join.lastBeat = loaded.lastBeat(ofKey: join.key, token: credential.token)
        guard let password else { return .join(join) }
        // Hashes are slow on purpose: they are computed only where the answer depends on them.
        switch (loaded.session.meeting?.password, loaded.refusal(of: .join(join), by: caller)) {
        case (let hash?, .passwordNeeded):
          var right = join
          right.password = .right
          guard loaded.refusal(of: .join(right), by: caller) == nil else { return .join(right) }
          do throws(HubFailure) {
            let isRight =
              if let known = verdicts[hash] { known } else {
                try guess { hasher.matches(password, hash) }
              }
            verdicts[hash] = isRight
            join.password = isRight ? .right : .wrong
          } catch {
            failure = error
          }
        case (nil, nil) where loaded.session.meeting == nil:
          newPassword = newPassword ?? hasher.hash(password)
          join.newPassword = newPassword
        case (_, _): break
        }
        return .join(join)
      } answer: { _, events in
        for case .joined(let id, _, _, let lease?, _) in events { return "\(id) \(lease)" }
        return ""
      }
    } catch {
      throw failure ?? error
    }
    let words = answer.split(separator: " ").map(String.init)
    guard words.count == 2, let id = Session.Member.ID(words[0]), let lease = Session.Lease(words[1]) else {
      throw .refused(.noSuchMember)
    }
    let loaded = try load(name, in: &store)
    let ticket = LeaseTicket(member: id, lease: lease, wants: request.wants)
    return Session.JoinAnswer(
      member: id, place: try place(of: ticket, in: loaded, at: now),
      state: loaded.stateWithoutStatistics)
  }

  /// What the store keeps of a member's key.
  private static func hash(ofKey key: String) throws(HubFailure) -> String {
    guard (16...128).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .badField("key", "not a member's key", hint: "send 16 to 128 random printable characters")
    }
    return String(hexadecimal(sha256(Array("member \(key)".utf8))).prefix(32))
  }

  private func displayName(_ text: String) throws(HubFailure) -> Session.DisplayName {
    do throws(Session.Refusal) { return try Session.DisplayName(text) } catch { throw .refused(error) }
  }

  private func checkedPassword(_ text: String) throws(HubFailure) -> String {
    do throws(Session.Refusal) { try Session.Password.check(text) } catch { throw .refused(error) }
    return text
  }
}

// MARK: - Beats

extension HubService {
  package func beat(
    _ request: Session.BeatRequest, by ticket: LeaseTicket, in name: Session.Name, at now: WallTime,
    in store: inout some Store
  ) throws(HubFailure) -> Session.BeatAnswer {
    let version = try call(store.beat(ticket.lease, statistics: request.statistics?.description, in: name))
    let cached = version.flatMap { cache.session(name, version: $0) }
    var loaded = if let cached { cached } else { try load(name, in: &store) }
    let known = loaded.session.meeting?[ticket.member]
    // Without a lease, the rules say why.
    if version == nil || known?.lease != ticket.lease || known?.reported != request.report {
      _ = try perform(in: name, by: ticket.caller, in: &store) { _ in .report(request.report) }
      loaded = try load(name, in: &store)
    }
    return Session.BeatAnswer(version: loaded.version.text, place: try place(of: ticket, in: loaded, at: now))
  }

  private func place(
    of ticket: LeaseTicket, in loaded: LoadedSession, at now: WallTime
  ) throws(HubFailure) -> Session.MemberPlace {
    guard let meeting = loaded.session.meeting, let member = meeting[ticket.member],
      member.lease == ticket.lease, let proof = meeting.proof(of: member)
    else {
      let refusal = loaded.session.refusal(toShow: ticket.caller, at: loaded.now) ?? .leaseOver
      throw .refused(refusal)
    }
    let name = loaded.session.name
    let addresses = media.addresses(
      for: ticket, in: HubKeys.digest(of: name), keys, epoch: loaded.version.epoch, at: now)
    return Session.MemberPlace(
      lease: keys.text(of: ticket, in: name, token: member.identity.token),
      proof: keys.text(of: proof, in: name, member.identity), role: meeting.role(of: member),
      desired: meeting.desired(of: member), lastEvent: loaded.lastEvent.description,
      endsAt: meeting.end(at: loaded.now), ingest: addresses.ingest, ingestSmall: addresses.ingestSmall,
      play: addresses.play)
  }
}

// MARK: - Commands

extension HubService {
  /// The names of what has happened.
  package func perform(
    _ request: Session.CommandRequest, in name: Session.Name, by caller: Session.Caller,
    newID: () -> String, in store: inout some Store
  ) throws(HubFailure) -> [String] {
    let command = try command(of: request, newID: newID)
    let stored = request.requestID.map {
      // A password is not to be found in the store, not even by guessing what this is the digest of.
      StoreRequest(sender: caller.sender, id: $0, command: keys.fingerprint(of: request.json.description))
    }
    var hash: Session.PasswordHash?
    let answer = try perform(in: name, by: caller, request: stored, in: &store) { loaded in
      guard case .password(let password?) = request.given, loaded.refusal(of: command, by: caller) == nil
      else {
        return command
      }
      hash = hash ?? hasher.hash(password)
      return .password(hash)
    } answer: { _, events in
      events.map(\.name).joined(separator: " ")
    }
    return answer.split(separator: " ").map(String.init)
  }

  private func command(
    of request: Session.CommandRequest, newID: () -> String
  ) throws(HubFailure) -> Session.Command {
    switch request.given {
    case .command(.extend(let more, _)):
      guard let id = request.requestID else {
        throw .badField("requestId", "required", hint: "send an id, so that a repeated request extends once")
      }
      return .extend(more, request: id)
    case .command(let command): return command
    // It is hashed once it is known that the caller may set it.
    case .password(let text):
      return .password(
        try text.map { (text) throws(HubFailure) in Session.PasswordHash(try checkedPassword(text)) })
    case .live(let outputs):
      guard outputs.allSatisfy(Self.isServer) else {
        throw .badField(
          "outputs", "not an address of a server", hint: "write rtmp://, rtmps://, rtsp:// or srt://")
      }
      do throws(Session.Refusal) {
        return .live(try Session.JobOrder(id: newID(), broadcast: newID(), outputs: outputs))
      } catch {
        throw .refused(error)
      }
    }
  }

  /// What a worker may be told to publish to: never a file of its own.
  private static func isServer(_ address: String) -> Bool {
    ["rtmp", "rtmps", "rtsp", "rtsps", "srt"].contains(address.prefix { $0 != ":" }.lowercased())
  }

  /// The session, for those who may see it.
  package func show(
    _ name: Session.Name, to caller: Session.Caller, in store: inout some Store
  ) throws(HubFailure) -> LoadedSession {
    let loaded = try load(name, in: &store)
    if let refusal = loaded.session.refusal(toShow: caller, at: loaded.now) { throw .refused(refusal) }
    return loaded
  }
}

// MARK: - The store

extension HubService {
  /// Keeps what a member's microphone hears, and compares it with what those of the others do. Returns how loud it is at all
  /// that were heard in the last second.
  package func levels(
    _ sound: Session.Sound, by ticket: LeaseTicket, in name: Session.Name, in store: inout some Store
  ) throws(HubFailure) -> [Session.Lease: Int] {
    let levels = try call(store.levels(sound.json.description, of: ticket.lease, in: name))
    guard let levels else {
      let loaded = try load(name, in: &store)
      throw .refused(loaded.session.refusal(toShow: ticket.caller, at: loaded.now) ?? .leaseOver)
    }
    let sounds = Session.Sound.all(of: levels)
    let scores = sounds.mapValues(\.scores)
    let loaded = if let known = cache.newest(name) { known } else { try load(name, in: &store) }
    if loaded.session.nextSpeaker(by: scores) != nil {
      _ = try call(store.chooseSpeaker(in: name, by: scores))
    }
    return sounds.mapValues(\.level)
  }

  func read(
    _ name: Session.Name, after event: EventID, in store: inout some Store
  ) throws(HubFailure) -> EventPage {
    try call(store.read(name, after: event))
  }

  func names(within time: MediaTime, in store: inout some Store) throws(HubFailure) -> [Session.Name] {
    try call(store.due(within: time))
  }
}

extension HubService {
  package func load(_ name: Session.Name, in store: inout some Store) throws(HubFailure) -> LoadedSession {
    let loaded = try call(store.load(name, asking: nil))
    cache.keep(loaded)
    return loaded
  }

  private func perform(
    in name: Session.Name, by caller: Session.Caller, request: StoreRequest? = nil,
    in store: inout some Store, _ command: (LoadedSession) -> Session.Command,
    answer: (Session, [Session.Event]) -> String = { _, _ in "" }
  ) throws(HubFailure) -> String {
    let result = try call(store.perform(in: name, by: caller, request: request, command, answer: answer))
    switch result {
    case .done(let text): return text
    case .refused(let refusal): throw .refused(refusal)
    case .idUsed: throw .idUsed
    }
  }

  private func call<Result>(
    _ verb: @autoclosure () throws(StoreError) -> Result
  ) throws(HubFailure) -> Result {
    do throws(StoreError) { return try verb() } catch { throw .store(error) }
  }
}

extension Session.Sound {
  /// What the store has of them.
  static func all(of texts: [Session.Lease: String]) -> [Session.Lease: Session.Sound] {
    texts.compactMapValues { text in
      (try? JSONValue(reading: Array(text.utf8).span)).flatMap { Session.Sound($0) }
    }
  }
}

extension LoadedSession {
  /// Why the command would be refused; nil if it would be carried out.
  fileprivate func refusal(of command: Session.Command, by caller: Session.Caller) -> Session.Refusal? {
    var session = session
    switch session.apply(command, by: caller, at: now) {
    case .success: return nil
    case .failure(let refusal): return refusal
    }
  }

  package var state: JSONValue {
    session.state(version: version.text, beats: beats, statistics: statistics, at: now)
  }

  /// For those who come all at once; they are several times as long as everything else.
  var stateWithoutStatistics: JSONValue { session.state(version: version.text, beats: beats, at: now) }
}

extension StoreVersion {
  package var text: String { "\(epoch)-\(count)" }
}

/// Why a hub does not do what it is asked to.
package enum HubFailure: Error, Hashable, Sendable {
  case refused(Session.Refusal)
  case store(StoreError)
  /// The request's id was used for another command.
  case idUsed
  case badField(String, String, hint: String)
  /// The lease is not one of this hub's secret, session and token.
  case leaseForged
  /// Too many wrong passwords.
  case tooManyGuesses(wait: MediaTime)
}
