import HoldfastMediaModel
import HoldfastSession
import Testing

@testable import HoldfastMembership

@Suite final class MembershipMachineTests {
  private var story: MembershipStory

  init() throws {
    story = try MembershipStory()
    try story.join()
  }

  @Test func `the key is on the disk before the join is sent`() throws {
    story = try MembershipStory.started()
    #expect(story.actions.count == 2)
    let record = try #require(story.actions.first?.record)
    let join = try #require(story.actions.last?.join)
    #expect(record.key == join.key && join.key.count == 32)
  }

  @Test func `a place is on the disk before anything follows from it`() throws {
    story = try MembershipStory.started()
    _ = story.takeActions()
    let place = MembershipStory.place { $0.desired.mute.byOthers = [.audio] }
    story.handle(.joined(1, try MembershipStory.joinAnswer(place)))
    let record = try #require(story.actions.first?.record)
    #expect(record.lease == "lease 1")
    #expect(record.mutedByOthers == [.audio])
    #expect(record.ingest == [.main: "rtmp://media/live/box?key=1"])
    #expect(story.actions.contains(.mute([.audio])))
  }

  @Test func `new keys are written down once a minute at most, a new lease at once`() {
    var written = 0
    for number in 0..<24 {
      story.passToDeadline()
      let place = MembershipStory.place(100 + number) { $0.lease = "lease \(number < 20 ? 2 : number)" }
      story.handle(.beaten(story.request, Session.BeatAnswer(version: "\(number)", place: place)))
      let writes = story.takeActions().compactMap(\.record).count
      if number < 20 { written += writes } else { #expect(writes == 1) }
    }
    #expect((1...3).contains(written))
  }

  @Test func `a mute on the box never flickers while hubs are slow to hear of it`() {
    story.passToDeadline()
    let beat = story.request
    _ = story.takeActions()
    story.handle(.ordered(.mute([.audio]), id: "one"))
    story.handle(.beaten(beat, MembershipStory.beatAnswer(5)))
    story.handle(.commanded(story.request))
    story.pass(.milliseconds(300))
    let mutes = story.takeActions().filter { if case .mute = $0 { true } else { false } }
    #expect(mutes == [.mute([.audio])])
  }

  @Test func `a command is repeated with its id until it is answered`() {
    story.handle(.ordered(.mute([.audio]), id: "one"))
    story.fail(.lost)
    story.pass(.seconds(20))
    if case .beating(let number, _) = story.channel {
      story.handle(.beaten(number, MembershipStory.beatAnswer()))
    }
    story.fail(.refused(503, "storeAway"))
    for _ in 0..<3 { story.passToDeadline() }
    let ids = story.actions.compactMap(\.command?.requestID)
    #expect(ids.count >= 2 && Set(ids) == ["one"], "\(ids)")
  }

  @Test func `a join is repeated with its id until it is answered, and the next one has another`() throws {
    story = try MembershipStory.started()
    for failure in [HubFailure.lost, .refused(503, "storeAway"), .refused(409, "passwordNeeded")] {
      story.retry(after: failure)
    }
    story.handle(.joined(story.request, try MembershipStory.joinAnswer()))
    story.retry(after: .refused(409, "leaseOver"))
    #expect(story.joinIDs.count == 5)
    #expect(Set(story.joinIDs.dropLast()).count == 1 && Set(story.joinIDs).count == 2)
  }

  @Test(arguments: ["leaseOver", "superseded"])
  func `a join whose lease is over when its answer comes has another id then`(code: String) throws {
    story = try MembershipStory.started()
    story.retry(after: .lost)
    story.retry(after: .refused(409, code))
    let ids = story.joinIDs
    #expect(ids.count == 3 && ids[0] == ids[1] && ids[1] != ids[2])
  }

  @Test func `a later order makes an earlier one needless that was not sent yet`() throws {
    story = try MembershipStory()
    story.handle(.started, .ordered(.mute([.audio]), id: "1"), .ordered(.mute([.video]), id: "2"))
    story.handle(.ordered(.unmute([.audio]), id: "3"))
    #expect(story.machine.orders.entries.map(\.id) == ["2", "3"])
    #expect(story.actions.contains(.report(.answered(.mute([.audio]), id: "1", .replaced))))
    story.handle(.ordered(.mute([.audio, .video]), id: "4"))
    #expect(story.machine.orders.entries.map(\.id) == ["4"])
  }

  @Test func `bye closes the stream, changes the hub, and the stream opens when it was asked to`() {
    let stream = story.stream
    story.receive(nil, "bye", ["retryAfter": .integer(3)])
    #expect(story.actions == [.closeStream(stream), .changeHub])
    guard case .joined(let joined) = story.machine.state, case .closed(let until, 0) = joined.stream else {
      Issue.record("\(story.machine.state)")
      return
    }
    #expect((3_000_000_000...5_000_000_000).contains((until - story.now).nanoseconds))
  }

  @Test func `a stream that breaks opens again after what was seen last`() {
    story.receive("1-7", "locked")
    story.handle(.streamClosed(story.stream, .lost))
    #expect(story.actions == [])
    story.pass(.seconds(6))
    #expect(
      story.actions.contains { if case .openStream(_, "lease 2", after: "1-7") = $0 { true } else { false } })
  }

  private static func ids() throws -> (own: Session.Member.ID, other: Session.Member.ID) {
    try (
      #require(Session.Member.ID(MembershipStory.member)), #require(Session.Member.ID("ponmlkjihgfedcba"))
    )
  }

  private static func concerning() throws -> [Session.Event] {
    let (own, name) = (try ids().own, try Session.DisplayName("Anna"))
    return [
      .muted(own, [.audio], .others), .unmuted(own, [.audio], .others), .unmuteAsked(own, [.audio]),
      .renamed(own, name), .managerMade(own), .removed(own), .joined(own, name, .box, nil, returned: true),
      .left(own, .left, nil), .hostChanged(own, .transferred), .reported(own, .sharesScreen(true)),
      .ended(.time),
    ]
  }

  @Test(arguments: try concerning())
  func `an event that concerns the member makes it beat at once`(event: Session.Event) {
    story.pass(.seconds(1))
    story.receive("1-9", event)
    #expect(story.request != 0)
  }

  private static func unconcerning() throws -> [Session.Event] {
    let (own, other) = try ids()
    return [
      .muted(other, [.audio], .others), .reported(own, .silent(true)), .ready(own),
      .event(own, try Session.CustomEvent(name: "bell")), .locked, .speaker(own), .hostChanged(other, .left),
    ]
  }

  @Test(arguments: try unconcerning())
  func `an event of others, or of what the member said itself, does not`(event: Session.Event) {
    story.pass(.seconds(1))
    story.receive("1-9", event)
    #expect(story.request == 0)
  }

  @Test(arguments: [
    ("unheardOf", MembershipStory.member, true), ("unheardOf", "ponmlkjihgfedcba", false),
    ("left", MembershipStory.member, true), ("ended", nil, true), ("timer", nil, true),
  ])
  func `what a newer hub says of the member, or of all, makes it beat at once`(
    name: String, member: String?, beats: Bool
  ) {
    story.pass(.seconds(1))
    story.receive("1-9", name, ["member": JSONValue(member), "why": "new"])
    #expect((story.request != 0) == beats)
  }

  @Test func `who has left for a reason of a newer hub is not ready any more`() throws {
    let other = try Self.ids().other
    story.receive("1-8", .ready(other))
    #expect(story.machine.othersReady.count == 1)
    story.receive("1-9", "left", ["member": .text(other.text), "why": "new"])
    #expect(story.machine.othersReady.count == 0)
  }

  @Test func `an event that the last beat's answer knew does not`() throws {
    story.pass(.seconds(1))
    story.receive("1-2", .muted(try Self.ids().own, [.audio], .others))
    #expect(story.request == 0)
  }

  @Test func `a stream that ends for a reason makes the member ask`() {
    story.pass(.seconds(1))
    let data: JSONValue = ["error": ["code": "tokenRevoked", "message": "the token was revoked"]]
    story.receive(nil, "tokenRevoked", data)
    #expect(story.request != 0)
  }

  @Test func `a store that begins anew does not make all members beat in one moment`() {
    story.pass(.seconds(1))
    story.receive("2-1", "reset")
    #expect(story.request == 0)
    story.pass(.seconds(2))
    #expect(story.request != 0)
  }

  @Test func `a lease that is over at once is not asked for without pause`() {
    story.pass(.milliseconds(100))
    story.handle(.reported(Session.Member.Report(.live)))
    story.pass(.milliseconds(300))
    story.fail(.refused(409, "leaseOver"))
    #expect(story.request == 0)
    story.pass(.seconds(5))
    #expect(story.request != 0)
  }

  @Test func `Retry-After is honoured`() throws {
    story = try MembershipStory.started()
    var refusal = HubRefusal(429, "tooManyFailures", "too many")
    refusal.retryAfter = .seconds(40)
    story.fail(.refused(refusal))
    let wait = try #require(story.machine.waitsUntil) - story.now
    #expect((40_000_000_000...42_000_000_000).contains(wait.nanoseconds))
  }

  @Test func `a wrong password is told once however often it is tried, and so is the next one`() throws {
    story = try MembershipStory.started { $0.password = "one" }
    func told() -> Int { story.actions.count { $0 == .report(.waiting(.password(isWrong: true))) } }
    for _ in 0..<20 { story.retry(after: .refused(403, "passwordWrong")) }
    #expect(told() == 1)
    #expect(story.now - MonotonicTime(nanoseconds: 0) >= .seconds(600))
    story.fail(.refused(403, "passwordWrong"))
    let now = story.now
    story.handle(.passwordGiven("two"))
    // One wrong password before it, not twenty-one.
    #expect(story.request != 0 && story.now == now)
    story.fail(.refused(403, "passwordWrong"))
    #expect(told() == 2)
    #expect(story.machine.snapshot.state == "passwordNeeded" && story.machine.snapshot.why != nil)
  }

  @Test
  func `a password that is given while another is tried is not the wrong one, and is tried soon`() throws {
    story = try MembershipStory { $0.password = "one" }
    story.handle(.started, .passwordGiven("two"))
    story.fail(.refused(403, "passwordWrong"))
    #expect(!story.actions.contains(.askPassword(isWrong: true)))
    let now = story.now
    story.passToRequest()
    #expect(story.now - now < .seconds(2))
    let passwords = story.actions.compactMap(\.join?.password)
    #expect(passwords == ["one", "two"])
  }

  @Test func `an unmute that no hub has heard of outlasts a crash`() throws {
    var record = MembershipRecord(key: "key")
    record.unmuted = [.audio]
    story = try MembershipStory(record: record) { $0.continues = true }
    story.handle(.started)
    let place = MembershipStory.place { $0.desired.mute.bySelf = [.audio] }
    story.handle(.joined(story.request, try MembershipStory.joinAnswer(place)))
    #expect(!story.actions.contains(.mute([.audio])))
    story.handle(.beaten(story.request, Session.BeatAnswer(version: "2", place: place)))
    let commands = story.actions.compactMap(\.command?.word)
    #expect(commands == [.unmute])
  }

  @Test func `an unmute is kept until a hub has confirmed it`() {
    story.handle(.ordered(.mute([.audio]), id: "1"))
    story.handle(.commanded(story.request), .ordered(.unmute([.audio]), id: "2"))
    #expect(story.machine.record.unmuted == [.audio] && story.machine.record.mutedBySelf == [])
  }

  @Test func `a yes is only to what had been asked for`() {
    func answer(_ asked: Set<TrackKind>) -> Session.BeatAnswer {
      var place = MembershipStory.place()
      (place.desired.mute.bySelf, place.desired.mute.asked) = ([.audio, .video], asked)
      return Session.BeatAnswer(version: "3", place: place)
    }
    story.passToRequest()
    story.handle(.beaten(story.request, answer([.audio])))
    story.passToRequest()
    story.handle(.ordered(.answer(true), id: "yes"), .beaten(story.request, answer([.audio, .video])))
    #expect(story.actions.contains(.report(.answered(.answer(true), id: "yes", .replaced))))
    #expect(story.actions.count { $0 == .report(.unmuteAsked([.audio, .video])) } == 1)
    #expect(!story.actions.contains(.mute([])))
  }

  @Test func `a problem with the token is told once, by name, and asked about slowly`() throws {
    story = try MembershipStory.started()
    for _ in 0..<5 { story.retry(after: .refused(401, "tokenRevoked")) }
    let reports = story.actions.filter { if case .report = $0 { true } else { false } }
    let refusal = HubRefusal(401, "tokenRevoked", "the words for tokenRevoked")
    #expect(reports == [.report(.waiting(.refused(refusal)))])
    #expect((story.now - MonotonicTime(nanoseconds: 0)) >= .seconds(150))
  }

  @Test func `a member whose token is refused joins again with the one that there is then`() {
    story.passToDeadline()
    _ = story.takeActions()
    story.fail(.refused(401, "tokenExpired"))
    #expect(story.machine.snapshot.state == "refused" && !story.actions.contains(.unpublish(.main)))
    _ = story.takeActions()
    story.passToRequest()
    let joins = story.actions.compactMap(\.join)
    #expect(joins.count == 1 && story.now - MonotonicTime(nanoseconds: 0) >= .seconds(34))
  }

  @Test func `a network that has changed is tried within a second`() throws {
    story = try MembershipStory.started()
    for _ in 0..<5 { story.retry(after: .lost) }
    story.fail(.lost)
    story.handle(.networkChanged)
    let wait = try #require(story.machine.waitsUntil) - story.now
    #expect(wait <= .seconds(1))
  }

  @Test func `statistics are sent when they have changed`() {
    var sent: [JSONValue?] = []
    for step in 0..<4 {
      if step % 2 == 0 { story.handle(.measured(["step": .integer(Int64(step))])) }
      story.passToDeadline()
      guard case .beating(let number, let request) = story.channel else { continue }
      sent.append(request.statistics)
      story.handle(.beaten(number, MembershipStory.beatAnswer(5 + step)))
    }
    #expect(sent == [["step": .integer(0)], nil, ["step": .integer(2)], nil])
  }

  @Test(arguments: [false, true])
  func `the record is written again when the broadcast has another id, also out of the session`(isOut: Bool) {
    if isOut {
      story.passToDeadline()
      story.fail(.refused(409, "superseded"))
      _ = story.takeActions()
    }
    story.handle(.broadcastRenewed)
    #expect(story.actions == [.remember(story.machine.record)])
    #expect(story.machine.record.verdict == (isOut ? .superseded : nil))
  }

  @Test func `a superseded box unpublishes, keeps its mutes, and lets the operator lift them`() {
    story.passToDeadline()
    let place = MembershipStory.place(3) { $0.desired.mute.byOthers = [.audio] }
    story.handle(.beaten(story.request, Session.BeatAnswer(version: "3", place: place)))
    story.passToDeadline()
    _ = story.takeActions()
    story.fail(.refused(409, "superseded"))
    #expect(story.actions.contains(.unpublish(.main)) && story.machine.snapshot.muted == [.audio])
    story.handle(.ordered(.unmute([.audio]), id: "one"))
    #expect(story.machine.snapshot.muted == [])
    #expect(story.actions.contains(.report(.answered(.unmute([.audio]), id: "one", .done))))
  }
}

extension MembershipStory {
  fileprivate var joinIDs: [String] { actions.compactMap(\.join?.requestID) }

  var channel: MembershipMachine.Channel {
    guard case .joined(let joined) = machine.state else { return .idle }
    return joined.channel
  }
}

extension MembershipMachine {
  fileprivate var waitsUntil: MonotonicTime? {
    guard case .joining(let joining) = state, case .waiting(let until) = joining.step else { return nil }
    return until
  }
}
