import HoldfastLifecycle
import HoldfastMediaModel
import TestRandomness

@testable import HoldfastSession

/// A session in which anything may happen, drawn from a seed: joins, crashes, copies of keys, commands by anybody,
/// beats that stop, stores that are away or forget, several hubs.
struct RandomSession {
  private(set) var path: [String] = []
  private(set) var failure: String?
  private(set) var session: Session
  private var now = WallTime(nanoseconds: 1_800_000_000_000_000_000)
  private var presence: Session.Presence
  private var choice: SplitMix64
  private var actors: [Actor] = []
  private var joins = 0

  /// Somebody with a key, whose lease may be an old one.
  private struct Actor {
    let key: String
    let token: String?
    let standing: Session.Standing
    let kind: Session.Member.Kind
    var id: Session.Member.ID?
    var lease: Session.Lease?
    var meeting: Session.Lease?
    var beats = true
  }

  init(seed: UInt64) {
    guard let name = try? Session.Name("Random") else { preconditionFailure("the name is refused") }
    choice = SplitMix64(seed: seed)
    session = Session(name, epoch: Session.Epoch(number: 1))
    presence = Session.Presence(contactSince: now)
    for number in 0..<7 {
      let standings: [Session.Standing] = [.host, .host, .participant, .participant, .local, .worker]
      let kinds: [Session.Member.Kind] = [.person, .box, .box, .person, .programme]
      let standing = standings[number % 6]
      let kind = standing == .worker ? .programme : kinds[number % 5]
      let token = standing == .local ? nil : "token \(number)"
      actors.append(Actor(key: "key \(number)", token: token, standing: standing, kind: kind))
    }
    // A copy of a box.
    actors.append(actors[1])
  }

  mutating func run(steps: Int) {
    for step in 0..<steps {
      take()
      if let problem {
        failure = "\(problem), in step \(step): \(path.suffix(30).joined(separator: " "))"
        return
      }
    }
  }

  /// As a hub does that keeps nothing.
  mutating func reload() throws { session = try Session(stored: session.stored) }

  /// What the last step broke.
  private var problem: String?

  private mutating func take() {
    let number = Int.random(in: 0..<actors.count, using: &choice)
    switch Int.random(in: 0..<20, using: &choice) {
    case 0...3: join(number)
    case 4...11: command(number)
    case 12...17: pass()
    case 18:
      actors[number].beats.toggle()
      note("\(number) \(actors[number].beats ? "beats" : "is silent")")
    default: misfortune()
    }
    check()
  }

  private mutating func note(_ what: String) { path.append(what + ";") }

  private mutating func complain(_ what: String) { problem = problem ?? what }
}

// MARK: - Steps

extension RandomSession {
  private mutating func join(_ number: Int) {
    let actor = actors[number]
    joins += 1
    guard let name = try? Session.DisplayName("Member \(number)") else { return }
    var join = Session.Join(key: actor.key, name: name, kind: actor.kind, id: SessionStory.id(joins))
    let verdicts: [Session.PasswordVerdict] = [.notGiven, .wrong, .right]
    join.password = verdicts.randomElement(using: &choice) ?? .right
    join.proof = randomProof(number)
    join.lifted = Bool.random(using: &choice) ? [.audio] : []
    join.lastBeat = actor.lease.flatMap { presence.beats[$0] }
    join.anyoneCreates = Int.random(in: 0..<10, using: &choice) == 0
    let credential = Session.Credential(actor.standing, token: actor.token)
    let identity = Session.Member.Identity(key: actor.key, token: actor.token)
    let before = session
    let wasRemoved = before.meeting?.removed.contains { $0.applies(to: identity) } ?? false
    let outcome = session.apply(.join(join), by: .token(credential), at: now)
    note("\(number) joins: \(Self.text(outcome))")
    guard case .success(let events) = outcome else { return expectUnchanged(before) }
    if wasRemoved { complain("a removed member came in") }
    if before.tombstones.contains(where: { now < $0.forgottenAt && $0.members.values.contains(identity) }) {
      complain("a member of an ended session came in")
    }
    for event in events { follow(event, .join, before) }
    for case .joined(let id, _, _, let lease?, _) in events {
      actors[number].id = id
      actors[number].lease = lease
      actors[number].meeting = session.meeting?.id
      presence.beats[lease] = now
    }
    if actors[number].lease.map({ $0.sequence <= before.sequence && before.epoch == session.epoch }) ?? true {
      complain("a lease that is not a new one")
    }
  }

  /// Of the last lease, with a role that the member may have had.
  private mutating func randomProof(_ number: Int) -> Session.Proof? {
    guard Bool.random(using: &choice), let id = actors[number].id, let lease = actors[number].lease,
      let meeting = actors[number].meeting
    else { return nil }
    return Session.Proof(
      meeting: meeting, id: id, lease: lease, isManager: .random(using: &choice),
      hostTerm: Bool.random(using: &choice) ? UInt64.random(in: 0...9, using: &choice) : nil)
  }

  private mutating func command(_ number: Int) {
    guard let id = actors[number].id, let lease = actors[number].lease, let command = randomCommand() else {
      return
    }
    let before = session
    let isCurrent = before.meeting?[id]?.lease == lease && lease.epoch == before.epoch.number
    let byToken = Int.random(in: 0..<6, using: &choice) == 0
    let credential = Session.Credential(actors[number].standing, token: actors[number].token)
    let asMember = Bool.random(using: &choice) ? id : nil
    let caller: Session.Caller = byToken ? .token(credential, as: asMember) : .member(id, lease)
    let outcome = session.apply(command, by: caller, at: now)
    note("\(number) \(command.word.rawValue): \(Self.text(outcome))")
    guard case .success(let events) = outcome else { return expectUnchanged(before) }
    if !byToken, !isCurrent { complain("something was written with an old lease") }
    if byToken, [.host, .participant].contains(credential.standing), let token = credential.token,
      before.meeting?.removed.contains(where: { $0.identity.token == token }) ?? false
    {
      complain("a removed member commands")
    }
    if case .extend(let more, let request) = command {
      noteExtension(more, Session.Meeting.key(request, of: caller.sender), before)
    }
    for event in events { follow(event, command.word, before) }
  }

  private mutating func noteExtension(_ more: MediaTime, _ request: String, _ before: Session) {
    let (old, new) = (before.meeting?.timer.length, session.meeting?.timer.length)
    if let known = before.meeting?.timer.requests[request] {
      if known != more || old != new { complain("a request did something twice") }
    } else if old.map({ $0 + more }) != new {
      complain("an extension is not what was asked for")
    }
  }

  private mutating func follow(_ event: Session.Event, _ word: Session.Command.Word?, _ before: Session) {
    if Session.Event(event.name, event.json)?.json != event.json {
      complain("an event is not read as it was written: \(event)")
    }
    guard case .hostChanged(_, let why) = event else { return }
    let expected: Set<Session.HostChange> =
      switch word {
      case .host: [.transferred]
      case .reclaim: [.reclaimed]
      case .leave: [.left]
      case .join: [.person, .proven]
      case nil: [.away]
      default: []
      }
    if [.proven, .person, .reclaimed].contains(why) {
      let recoversUntil = before.meeting.map(\.recoversUntil) ?? before.epoch.recoversUntil
      if (recoversUntil.map { now < $0 } ?? false) != (why == .proven) {
        complain("the host changed as it must not while the session recovers, or later")
      }
    }
    if why == .first, before.meeting?.hostID != nil { complain("the first host though there was one") }
    if why != .first, !expected.contains(why) {
      complain("the host changed by \(word?.rawValue ?? "time"): \(why.rawValue)")
    }
  }

  private mutating func randomCommand() -> Session.Command? {
    guard let word = Session.Command.Word.allCases.filter({ $0 != .join }).randomElement(using: &choice),
      word != .end || Int.random(in: 0..<10, using: &choice) == 0
    else { return nil }
    let target = actors.randomElement(using: &choice)?.id ?? SessionStory.id(0)
    let maybe = Bool.random(using: &choice) ? target : nil
    let seconds = MediaTime.seconds(Int64.random(in: 1...900, using: &choice))
    switch word {
    case .rename: return (try? Session.DisplayName("New \(joins)")).map { .rename(maybe, $0) }
    case .host: return .host(target)
    case .manager: return .manager(target)
    case .revoke: return .revoke(target)
    case .remove: return .remove(target)
    case .readmit: return .readmit(target)
    case .mute: return .mute(maybe, [.audio])
    case .unmute: return .unmute(maybe, [.audio, .video])
    case .answer: return .answer(.random(using: &choice))
    case .report: return .report(Session.Member.Report(Bool.random(using: &choice) ? .live : .idle))
    case .password:
      return .password(Bool.random(using: &choice) ? Session.PasswordHash("hash \(joins)") : nil)
    case .limit: return .limit(Bool.random(using: &choice) ? seconds : nil)
    case .extend: return .extend(seconds, request: "request \(Int.random(in: 0..<6, using: &choice))")
    case .live:
      return (try? Session.JobOrder(id: "job", broadcast: "b", outputs: ["rtmp://a/b"])).map { .live($0) }
    case .take: return .take(job: "job", worker: "worker \(Int.random(in: 0..<2, using: &choice))")
    case .work:
      guard let lease = session.meeting?.job?.holder?.lease else { return nil }
      return (try? Session.WorkReport(.live, mediaTime: seconds, begun: true)).map { .work(lease, $0) }
    default: return try? SessionStory().sample(word)
    }
  }

  private mutating func pass() {
    let length = MediaTime.milliseconds(Int64.random(in: 100...9000, using: &choice))
    note("\(length)")
    now = now + length
    for actor in actors where actor.beats {
      if let lease = actor.lease { presence.beats[lease] = now }
    }
    let before = session
    let due = before.nextCheck(presence, at: now)
    let events = session.advance(to: now, presence)
    if due.map({ $0 > now }) ?? true, !events.isEmpty { complain("something happened before it was due") }
    for event in events {
      note("\(event.name)")
      follow(event, nil, before)
      if case .left(let id, .expired, let lease?) = event, before.meeting?[id]?.lease != lease {
        complain("another lease expired than the one that counts")
      }
    }
    var again = session
    if !again.advance(to: now, presence).isEmpty { complain("looking twice does something twice") }
    // Another hub may see more or less; the two never contradict each other.
    var other = presence
    other.contactSince = WallTime(
      nanoseconds: now.nanoseconds - Int64.random(in: 0...60, using: &choice) * 1_000_000_000)
    _ = again.advance(to: now, other)
    if !again.advance(to: now, presence).isEmpty || !again.advance(to: now, other).isEmpty {
      complain("two hubs contradict each other")
    }
    if let next = session.nextCheck(presence, at: now), next <= now { complain("what was due is due still") }
  }

  private mutating func misfortune() {
    switch Int.random(in: 0..<3, using: &choice) {
    case 0:
      note("the store is away")
      now = now + .seconds(Int64.random(in: 1...900, using: &choice))
      presence.contactSince = now
      if session.advance(to: now, presence).contains(where: { event in
        if case .left = event { true } else { false }
      }) {
        complain("somebody expired as soon as the store was back")
      }
    case 1:
      note("a new epoch")
      session.begin(Session.Epoch(number: session.epoch.number + 1, began: now))
    default:
      note("a long time")
      now = now + .seconds(Int64.random(in: 20...400, using: &choice))
      presence.contactSince = WallTime(nanoseconds: now.nanoseconds - 30_000_000_000)
    }
  }

  private mutating func expectUnchanged(_ before: Session) {
    if session != before { complain("a refusal changed something") }
  }

  private static func text(_ outcome: Result<[Session.Event], Session.Refusal>) -> String {
    switch outcome {
    case .success(let events): events.map(\.name).joined(separator: "+")
    case .failure(let refusal): refusal.code
    }
  }
}

// MARK: - What always holds

extension RandomSession {
  private mutating func check() {
    if Int.random(in: 0..<4, using: &choice) == 0, (try? Session(stored: session.stored)) != session {
      complain("it is not read as it was written")
    }
    guard let meeting = session.meeting else { return }
    let hosts = meeting.members.filter { meeting.role(of: $0) == .host }
    if hosts.count > 1 { complain("two hosts") }
    if meeting.hostID != nil, hosts.isEmpty { complain("a host that is not a member") }
    for host in hosts where !host.mayBeHost { complain("a host that may not be") }
    if case .held(let id, _) = meeting.host, meeting[id]?.isPresent != true {
      complain("a host that is away")
    }
    if meeting.host == .nobody, meeting.recoversUntil == nil,
      meeting.present.contains(where: { $0.mayBeHost && !$0.isSilent })
    {
      complain("nobody is host though somebody may be")
    }
    if Set(meeting.members.map(\.id)).count != meeting.members.count { complain("two members of one id") }
    if Set(meeting.members.map(\.identity)).count != meeting.members.count {
      complain("two members of one identity")
    }
    let leases = meeting.members.compactMap(\.lease)
    if Set(leases).count != leases.count { complain("two members of one lease") }
    if meeting.claims.contains(where: { meeting[$0] == nil || $0 == meeting.hostID }) {
      complain("a claim of nobody, or of the host")
    }
    if meeting.screensAreLocked, meeting.members.contains(where: \.sharesScreen) {
      complain("a screen is shared though screens are locked")
    }
  }
}
