import HoldfastMediaModel
import HoldfastSession
import HoldfastStores
import TestRandomness
import TestStores

@testable import HoldfastMembership

/// A hub over a store in memory: the rules of sessions, without a network.
struct TestHub {
  var store = MemoryStore()
  let name: Session.Name
  private var randomness: SplitMix64
  /// The store can't be reached.
  var storeIsAway = false
  private var contactSince = WallTime(nanoseconds: 0)
  /// The address that members publish to is this with a number.
  var ingest: String? = "rtmp://media/live/"
  private var ingestKeys = 0
  /// All that it has given.
  private var proofs: [String: Session.Proof] = [:]

  static let host = Session.Credential(.host, token: "host")
  static let participant = Session.Credential(.participant, token: "box")

  init(seed: UInt64 = 0) throws {
    name = try Session.Name("Hall")
    randomness = SplitMix64(seed: seed)
  }

  mutating func pass(_ time: MediaTime) { store.pass(time) }

  /// What hubs do each second.
  mutating func advance() throws {
    guard !storeIsAway else { return contactSince = store.now }
    guard try store.due(within: .zero).contains(name) else { return }
    _ = try store.advance(name, contactSince: contactSince)
  }

  mutating func load() throws -> LoadedSession { try store.load(name, asking: nil) }

  func session() throws -> Session {
    var store = store
    return try store.load(name, asking: nil).session
  }

  // MARK: - Requests

  mutating func join(
    _ request: Session.JoinRequest, _ credential: Session.Credential = TestHub.participant
  ) throws -> Session.JoinAnswer {
    guard !storeIsAway else { throw Self.storeAway }
    let display = try Session.DisplayName(request.name)
    let id = try newID()
    let proof = request.proof.flatMap { proofs[$0] }
    let asked = request.requestID.map { StoreRequest(sender: request.key, id: $0, command: "join") }
    let answer = try store.perform(in: name, by: .token(credential), request: asked) { loaded in
      var join = Session.Join(key: request.key, name: display, kind: request.kind, id: id)
      join.password =
        switch (request.password, loaded.session.meeting?.password) {
        case (_, nil), (nil, _): .notGiven
        case (let password?, let hash?): password == hash.text ? .right : .wrong
        }
      join.lifted = request.lifted
      join.lastBeat = loaded.lastBeat(ofKey: request.key, token: credential.token)
      join.proof = proof
      return .join(join)
    }
    if case .refused(let refusal) = answer { throw Self.failure(refusal) }
    let loaded = try load()
    guard
      let member = loaded.session.meeting?.present.first(where: {
        $0.identity.key == request.key && $0.identity.token == credential.token
      }), let place = place(of: member, loaded)
    else { throw Self.failure(.leaseOver) }
    let state = loaded.session.state(version: "\(loaded.version.count)", at: loaded.now)
    return Session.JoinAnswer(member: member.id, place: place, state: state)
  }

  mutating func beat(_ lease: String, _ request: Session.BeatRequest) throws -> Session.BeatAnswer {
    guard !storeIsAway else { throw Self.storeAway }
    guard let (id, lease) = Self.parse(lease) else { throw HubFailure.unreachable("a bad lease") }
    let answer = try store.perform(in: name, by: .member(id, lease)) { _ in .report(request.report) }
    if case .refused(let refusal) = answer { throw Self.failure(refusal) }
    guard try store.beat(lease, statistics: request.statistics?.description, in: name) != nil else {
      throw Self.failure(.leaseOver)
    }
    let loaded = try load()
    guard let member = loaded.session.meeting?[id], let place = place(of: member, loaded) else {
      throw HubFailure.unreachable("no member after a beat")
    }
    return Session.BeatAnswer(version: "\(loaded.version.count)", place: place)
  }

  mutating func command(_ lease: String, _ request: Session.CommandRequest) throws {
    guard !storeIsAway else { throw Self.storeAway }
    guard let (id, lease) = Self.parse(lease), case .command(let command) = request.given else {
      throw HubFailure.unreachable("a bad request")
    }
    let asked = request.requestID.map {
      StoreRequest(sender: "member \(id)", id: $0, command: request.json.description)
    }
    switch try store.perform(in: name, by: .member(id, lease), request: asked, { _ in command }) {
    case .done: break
    case .refused(let refusal): throw Self.failure(refusal)
    case .idUsed: throw HubFailure.refused(HubRefusal(409, "idUsed", "the id was used"))
    }
  }

  mutating func leave(_ lease: String) throws {
    try command(lease, Session.CommandRequest(.leave))
  }

  /// What somebody who has not joined does.
  @discardableResult
  mutating func act(
    _ command: Session.Command, as credential: Session.Credential = TestHub.host,
    for member: Session.Member.ID? = nil
  ) throws -> CommandAnswer {
    try store.perform(in: name, by: .token(credential, as: member)) { _ in command }
  }

  /// Another member joins and says what it has to say.
  @discardableResult
  mutating func enter(_ key: String, _ credential: Session.Credential = TestHub.host) throws -> String {
    let request = Session.JoinRequest(key: key, name: key, kind: .person)
    return try join(request, credential).place.lease
  }

  /// A beat of the member with the key `host`.
  mutating func keepHost() throws {
    guard !storeIsAway else { return }
    let host = try session().meeting?.present.first { $0.identity.key == "host" }
    if let lease = host?.lease { _ = try store.beat(lease, statistics: nil, in: name) }
  }

  // MARK: - Streams

  /// What a stream shows that has seen `after`, and what it has seen then; nil for a lease that is over, which is
  /// noticed where there is something to show.
  mutating func events(_ lease: String, after: EventID) throws -> (events: [HubEvent], last: EventID)? {
    guard !storeIsAway else { return ([], after) }
    switch try store.read(name, after: after) {
    case .events(let events):
      let read = events.map { event in
        let json = (try? JSONValue(reading: Array(event.json.utf8).span)) ?? .null
        return HubEvent(id: "\(event.id)", name: json.field("event")?.text ?? "", data: json)
      }
      return (read, events.last?.id ?? after)
    case .reset:
      guard try isIn(lease) else { return nil }
      let loaded = try load()
      let state = loaded.session.state(version: "\(loaded.version.count)", at: loaded.now)
      return ([HubEvent(id: "\(loaded.lastEvent)", name: "reset", data: state)], loaded.lastEvent)
    }
  }

  func isIn(_ lease: String) throws -> Bool {
    guard !storeIsAway else { return true }
    guard let (id, lease) = Self.parse(lease) else { return false }
    return try session().meeting?[id]?.lease == lease
  }

  // MARK: - Forms

  private mutating func place(of member: Session.Member, _ loaded: LoadedSession) -> Session.MemberPlace? {
    guard let meeting = loaded.session.meeting, let lease = member.lease,
      let proof = meeting.proof(of: member)
    else { return nil }
    proofs["\(proof)"] = proof
    var place = Session.MemberPlace(
      lease: "\(member.id):\(lease)", proof: "\(proof)", role: meeting.role(of: member),
      lastEvent: "\(loaded.lastEvent)")
    place.desired = meeting.desired(of: member)
    // As it is read from an answer, which has milliseconds.
    place.endsAt = meeting.end(at: loaded.now).flatMap { WallTime(rfc3339: $0.rfc3339) }
    ingestKeys += 1
    place.ingest = ingest.map { "\($0)\(member.id)?key=\(ingestKeys)" }
    return place
  }

  private mutating func newID() throws -> Session.Member.ID {
    let characters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
    let text = String((0..<16).map { _ in characters[Int.random(in: 0..<36, using: &randomness)] })
    guard let id = Session.Member.ID(text) else { throw TestFailure("the id \(text)") }
    return id
  }

  static func parse(_ text: String) -> (Session.Member.ID, Session.Lease)? {
    let parts = text.split(separator: ":").map(String.init)
    guard parts.count == 2, let id = Session.Member.ID(parts[0]), let lease = Session.Lease(parts[1]) else {
      return nil
    }
    return (id, lease)
  }

  static func failure(_ refusal: Session.Refusal) -> HubFailure {
    var failure = HubRefusal(409, refusal.code, refusal.message, hint: refusal.hint)
    if case .sessionOver(let reason) = refusal { failure.end = reason }
    return .refused(failure)
  }

  static var storeAway: HubFailure {
    .refused(HubRefusal(503, "storeAway", "the store can't be reached"))
  }
}

struct TestFailure: Error {
  let what: String

  init(_ what: String) { self.what = what }
}
