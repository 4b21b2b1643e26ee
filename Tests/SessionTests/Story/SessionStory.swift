import HoldfastMediaModel

@testable import HoldfastSession

/// A session and those who are in it by their names, with a store's clock, beats, and a hub that looks when it is due.
struct SessionStory {
  var session: Session
  var now = WallTime(nanoseconds: 1_800_000_000_000_000_000)
  var presence: Session.Presence
  /// All that has happened.
  private(set) var events: [Session.Event] = []
  private(set) var leases: [String: Session.Lease] = [:]
  private(set) var ids: [String: Session.Member.ID] = [:]
  private var credentials: [String: Session.Credential] = [:]
  private var kinds: [String: Session.Member.Kind] = [:]
  /// Who sends beats while time passes.
  var beating: Set<String> = []

  /// Those named have joined, in their order.
  init(_ joins: (name: String, standing: Session.Standing, kind: Session.Member.Kind)...) {
    guard let name = try? Session.Name("Hall") else { preconditionFailure("the name is refused") }
    session = Session(name, epoch: Session.Epoch(number: 1))
    presence = Session.Presence(contactSince: now)
    for (name, standing, kind) in joins { join(name, standing, kind) }
  }

  /// Anna, a person, is host, and these boxes are there.
  static func hosted(_ boxes: String...) -> SessionStory {
    var story = SessionStory(("Anna", .host, .person))
    for box in boxes { story.join(box) }
    return story
  }

  /// Anna is host; Max is a manager with a host's token, a person; Left and Right are boxes.
  static var busy: SessionStory {
    var story = SessionStory(
      ("Anna", .host, .person), ("Max", .host, .person), ("Left", .participant, .box),
      ("Right", .participant, .box))
    story.apply(.manager(story.id("Max")), by: "Anna")
    return story
  }

  static func id(_ number: Int) -> Session.Member.ID {
    let digits = String(number)
    guard let id = Session.Member.ID(String(repeating: "a", count: 16 - digits.count) + digits) else {
      preconditionFailure("not an id")
    }
    return id
  }

  func id(_ name: String) -> Session.Member.ID { ids[name] ?? Self.id(999) }

  func member(_ name: String) -> Session.Member? { session.meeting?[id(name)] }

  func role(_ name: String) -> Session.Role? {
    session.meeting.flatMap { meeting in member(name).map { meeting.role(of: $0) } }
  }

  var host: String? {
    session.meeting?.hostID.flatMap { id in ids.first { $0.value == id }?.key }
  }

  var present: [String] {
    session.meeting?.present.compactMap { member in ids.first { $0.value == member.id }?.key } ?? []
  }

  func caller(_ name: String) -> Session.Caller {
    .member(id(name), leases[name] ?? Session.Lease(epoch: 0, sequence: 0))
  }
}

// MARK: - Commands

extension SessionStory {
  typealias Outcome = Result<[Session.Event], Session.Refusal>

  @discardableResult
  mutating func join(
    _ name: String, _ standing: Session.Standing = .participant, _ kind: Session.Member.Kind = .box,
    key: String? = nil, token: String? = "own", with change: (inout Session.Join) -> Void = { _ in }
  ) -> Outcome {
    guard let displayName = try? Session.DisplayName(name) else { return .failure(.memberNeeded) }
    let id = ids[name] ?? Self.id(ids.count + 1)
    var join = Session.Join(key: key ?? "key of \(name)", name: displayName, kind: kind, id: id)
    change(&join)
    let tokenID = standing == .local ? nil : token == "own" ? "token of \(name)" : token
    let credential = Session.Credential(standing, token: tokenID)
    let outcome = apply(.join(join), by: .token(credential))
    guard case .success(let events) = outcome else { return outcome }
    for case .joined(let id, _, _, let lease?, _) in events {
      ids[name] = id
      leases[name] = lease
    }
    credentials[name] = credential
    kinds[name] = kind
    beating.insert(name)
    beat(name)
    return outcome
  }

  /// Gives the commands in their order; returns what became of the last.
  @discardableResult
  mutating func apply(_ commands: Session.Command..., by name: String) -> Outcome {
    commands.reduce(.success([])) { apply($1, by: caller(name)) }
  }

  @discardableResult
  mutating func apply(_ command: Session.Command, by caller: Session.Caller) -> Outcome {
    let outcome = session.apply(command, by: caller, at: now)
    if case .success(let new) = outcome { events += new }
    return outcome
  }

  /// Joins again with the same key and token.
  @discardableResult
  mutating func rejoin(_ name: String, with change: (inout Session.Join) -> Void = { _ in }) -> Outcome {
    let credential = credentials[name] ?? Session.Credential(.participant)
    return join(name, credential.standing, kinds[name] ?? .box, token: credential.token, with: change)
  }
}

// MARK: - Time

extension SessionStory {
  mutating func beat(_ name: String) {
    guard let lease = leases[name] else { return }
    presence.beats[lease] = now
  }

  /// Those who beat do so every five seconds; the hub looks when it is due. Returns what happened.
  @discardableResult
  mutating func pass(_ length: MediaTime) -> [Session.Event] {
    let before = events.count
    let end = now + length
    var nextBeat = now + .seconds(5)
    while true {
      let due = session.nextCheck(presence, at: now) ?? end
      now = max(now, min(due, nextBeat, end))
      if now >= nextBeat {
        beatAll()
        nextBeat = now + .seconds(5)
      }
      events += session.advance(to: now, presence)
      if now >= end { return Array(events[before...]) }
    }
  }

  /// Nothing is heard of somebody, for so long and from then on.
  @discardableResult
  mutating func silence(_ name: String, for length: MediaTime) -> [Session.Event] {
    beating.remove(name)
    return pass(length)
  }

  mutating func beatAll() {
    for name in beating { beat(name) }
  }

  /// No hub reaches the store, and the store nobody.
  mutating func loseStore(for length: MediaTime) {
    now = now + length
    presence.contactSince = now
  }

  mutating func beginEpoch() {
    session.begin(Session.Epoch(number: session.epoch.number + 1, began: now))
  }
}

extension Result where Success == [Session.Event], Failure == Session.Refusal {
  var refusal: Session.Refusal? {
    guard case .failure(let refusal) = self else { return nil }
    return refusal
  }

  var events: [Session.Event]? { try? get() }
}

extension [Session.Event] {
  var withoutStage: [Session.Event] { filter { $0.name != "stage" } }
}
