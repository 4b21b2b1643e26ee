import HoldfastMediaModel
import HoldfastSession
import Testing

@testable import HoldfastMembership

@Suite struct MembershipMachineTests {
  private static func joined(
    _ change: (inout MembershipMachine.Settings) -> Void = { _ in }
  ) throws -> MembershipStory {
    var story = try MembershipStory(change)
    try story.join()
    return story
  }

  @Test func `the key is on the disk before the join is sent`() throws {
    var story = try MembershipStory()
    story.handle(.started)
    #expect(story.actions.count == 2)
    guard case .remember(let record) = story.actions.first, case .join(_, let join) = story.actions.last
    else {
      Issue.record("\(story.actions)")
      return
    }
    #expect(record.key == join.key)
    #expect(join.key.count == 32)
  }

  @Test func `a place is on the disk before anything follows from it`() throws {
    var story = try MembershipStory()
    story.handle(.started)
    _ = story.takeActions()
    var place = MembershipStory.place()
    place.desired.muted = [.audio]
    place.desired.mutedByOthers = [.audio]
    let answer = try MembershipStory.joinAnswer()
    story.handle(.joined(1, Session.JoinAnswer(member: answer.member, place: place, state: .null)))
    guard case .remember(let record) = story.actions.first else {
      Issue.record("\(story.actions)")
      return
    }
    #expect(record.lease == "lease 1")
    #expect(record.mutedByOthers == [.audio])
    #expect(record.ingest == [.main: "rtmp://media/live/box?key=1"])
    #expect(story.actions.contains(.mute([.audio])))
  }

  @Test func `new keys are written down once a minute at most, a new lease at once`() throws {
    var story = try Self.joined()
    var written = 0
    for number in 0..<24 {
      story.passToDeadline()
      var place = MembershipStory.place(100 + number)
      place.lease = number < 20 ? "lease 2" : "lease \(number)"
      story.handle(.beaten(story.request, Session.BeatAnswer(version: "\(number)", place: place)))
      let writes = story.takeActions().filter { if case .remember = $0 { true } else { false } }.count
      if number >= 20 { #expect(writes == 1) }
      if number < 20 { written += writes }
    }
    #expect((1...3).contains(written))
  }

  @Test func `a mute on the box never flickers while hubs are slow to hear of it`() throws {
    var story = try Self.joined()
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

  @Test func `a command is repeated with its id until it is answered`() throws {
    var story = try Self.joined()
    story.handle(.ordered(.mute([.audio]), id: "one"))
    story.fail(.lost)
    story.pass(.seconds(20))
    if case .beating(let number, _) = story.channel {
      story.handle(.beaten(number, MembershipStory.beatAnswer()))
    }
    story.fail(.refused(503, "storeAway"))
    for _ in 0..<3 { story.passToDeadline() }
    let ids = story.actions.compactMap { action -> String? in
      guard case .command(_, _, let request) = action else { return nil }
      return request.requestID
    }
    #expect(ids.count >= 2)
    #expect(Set(ids) == ["one"])
  }

  @Test func `a join is repeated with its id until it is answered, and the next one has another`() throws {
    var story = try MembershipStory()
    story.handle(.started)
    for failure in [HubFailure.lost, .refused(503, "storeAway"), .refused(409, "passwordNeeded")] {
      story.fail(failure)
      story.passToRequest()
    }
    story.handle(.joined(story.request, try MembershipStory.joinAnswer()))
    story.fail(.refused(409, "leaseOver"))
    story.passToRequest()
    #expect(story.joinIDs.count == 5)
    #expect(Set(story.joinIDs.dropLast()).count == 1 && Set(story.joinIDs).count == 2)
  }

  @Test func `a join whose lease is over when its answer comes has another id then`() throws {
    var story = try MembershipStory()
    story.handle(.started)
    story.fail(.lost)
    story.passToRequest()
    story.fail(.refused(409, "leaseOver"))
    story.passToRequest()
    #expect(Set(story.joinIDs.prefix(2)).count == 1 && Set(story.joinIDs).count == 2)
  }

  @Test func `a join that a late one has superseded is another request the next time`() throws {
    var story = try MembershipStory()
    story.handle(.started)
    story.fail(.lost)
    story.passToRequest()
    story.fail(.refused(409, "superseded"))
    story.passToRequest()
    let ids = story.actions.compactMap { if case .join(_, let join) = $0 { join.requestID } else { nil } }
    #expect(ids.count == 3 && ids[0] == ids[1] && ids[1] != ids[2])
  }

  @Test func `a later order makes an earlier one needless that was not sent yet`() throws {
    var story = try MembershipStory()
    story.handle(.started, .ordered(.mute([.audio]), id: "1"), .ordered(.mute([.video]), id: "2"))
    story.handle(.ordered(.unmute([.audio]), id: "3"))
    #expect(story.machine.orders.entries.map(\.id) == ["2", "3"])
    #expect(story.actions.contains(.report(.answered(.mute([.audio]), id: "1", .replaced))))
    story.handle(.ordered(.mute([.audio, .video]), id: "4"))
    #expect(story.machine.orders.entries.map(\.id) == ["4"])
  }

  @Test func `one request is on its way at a time`() throws {
    var story = try Self.joined()
    story.handle(.ordered(.mute([.audio]), id: "1"), .ordered(.ready, id: "2"))
    #expect(story.actions.filter(\.isRequest).count == 1)
    story.handle(.commanded(story.request))
    #expect(story.actions.filter(\.isRequest).count == 2)
  }

  @Test func `bye closes the stream, changes the hub, and the stream opens when it was asked to`() throws {
    var story = try Self.joined()
    let stream = story.stream
    story.handle(.streamed(stream, HubEvent(id: nil, name: "bye", data: ["retryAfter": .integer(3)])))
    #expect(story.actions == [.closeStream(stream), .changeHub])
    guard case .joined(let joined) = story.machine.state, case .closed(let until, 0) = joined.stream else {
      Issue.record("\(story.machine.state)")
      return
    }
    #expect((3_000_000_000...5_000_000_000).contains((until - story.now).nanoseconds))
  }

  @Test func `a stream that breaks opens again after what was seen last`() throws {
    var story = try Self.joined()
    story.handle(.streamed(story.stream, HubEvent(id: "1-7", name: "locked", data: .null)))
    story.handle(.streamClosed(story.stream, .lost))
    #expect(story.actions == [])
    story.pass(.seconds(6))
    let opened = story.actions.contains {
      if case .openStream(_, "lease 2", after: "1-7") = $0 { true } else { false }
    }
    #expect(opened)
  }

  @Test(arguments: [
    "muted", "unmuted", "unmuteAsked", "renamed", "managerMade", "removed", "joined", "left", "ended",
  ])
  func `an event that concerns the member makes it beat at once`(name: String) throws {
    var story = try Self.joined()
    story.pass(.seconds(1))
    story.handle(
      .streamed(
        story.stream, HubEvent(id: "1-9", name: name, data: ["member": .text(MembershipStory.member)])))
    #expect(story.request != 0)
  }

  @Test(arguments: ["muted", "reported", "ready", "event", "locked", "speaker", "unknown"])
  func `an event of others, or of what the member said itself, does not`(name: String) throws {
    var story = try Self.joined()
    story.pass(.seconds(1))
    let member = ["muted", "unknown"].contains(name) ? "ponmlkjihgfedcba" : MembershipStory.member
    story.handle(.streamed(story.stream, HubEvent(id: "1-9", name: name, data: ["member": .text(member)])))
    #expect(story.request == 0 || name == "locked" || name == "speaker")
  }

  @Test func `an event that the last beat's answer knew does not`() throws {
    var story = try Self.joined()
    story.pass(.seconds(1))
    story.handle(
      .streamed(
        story.stream, HubEvent(id: "1-2", name: "muted", data: ["member": .text(MembershipStory.member)])))
    #expect(story.request == 0)
  }

  @Test func `a stream that ends for a reason makes the member ask`() throws {
    var story = try Self.joined()
    story.pass(.seconds(1))
    let data: JSONValue = ["error": ["code": "tokenRevoked", "message": "the token was revoked"]]
    story.handle(.streamed(story.stream, HubEvent(id: nil, name: "tokenRevoked", data: data)))
    #expect(story.request != 0)
  }

  @Test func `a store that begins anew does not make all members beat in one moment`() throws {
    var story = try Self.joined()
    story.pass(.seconds(1))
    story.handle(.streamed(story.stream, HubEvent(id: "2-1", name: "reset", data: .null)))
    #expect(story.request == 0)
    story.pass(.seconds(2))
    #expect(story.request != 0)
  }

  @Test func `a lease that is over at once is not asked for without pause`() throws {
    var story = try Self.joined()
    story.pass(.milliseconds(100))
    story.handle(.reported(Self.live))
    story.pass(.milliseconds(300))
    story.fail(.refused(409, "leaseOver"))
    #expect(story.request == 0)
    story.pass(.seconds(5))
    #expect(story.request != 0)
  }

  private static var live: Session.Member.Report {
    var report = Session.Member.Report()
    report.condition = .live
    return report
  }

  @Test func `Retry-After is honoured`() throws {
    var story = try MembershipStory()
    story.handle(.started)
    var refusal = HubRefusal(429, "tooManyFailures", "too many")
    refusal.retryAfter = .seconds(40)
    story.fail(.refused(refusal))
    let wait = try #require(story.machine.waitsUntil) - story.now
    #expect((40_000_000_000...42_000_000_000).contains(wait.nanoseconds))
  }

  @Test func `a wrong password is told once however often it is tried, and so is the next one`() throws {
    var story = try MembershipStory { $0.password = "one" }
    story.handle(.started)
    func told() -> Int { story.actions.count { $0 == .report(.waiting(.password(isWrong: true))) } }
    for _ in 0..<20 {
      story.fail(.refused(403, "passwordWrong"))
      story.passToRequest()
    }
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

  @Test func `a password that is given while another is tried is not the wrong one, and is tried soon`()
    throws
  {
    var story = try MembershipStory { $0.password = "one" }
    story.handle(.started, .passwordGiven("two"))
    story.fail(.refused(403, "passwordWrong"))
    #expect(!story.actions.contains(.askPassword(isWrong: true)))
    let now = story.now
    story.passToRequest()
    #expect(story.now - now < .seconds(2))
    let passwords = story.actions.compactMap {
      if case .join(_, let join) = $0 { join.password } else { nil }
    }
    #expect(passwords == ["one", "two"])
  }

  @Test func `an unmute that no hub has heard of outlasts a crash`() throws {
    var record = MembershipRecord(key: "key")
    record.unmuted = [.audio]
    var story = try MembershipStory(record: record) { $0.continues = true }
    story.handle(.started)
    var place = MembershipStory.place()
    place.desired.mutedBySelf = [.audio]
    let id = try MembershipStory.joinAnswer().member
    story.handle(.joined(story.request, Session.JoinAnswer(member: id, place: place, state: .null)))
    #expect(!story.actions.contains(.mute([.audio])))
    story.handle(.beaten(story.request, Session.BeatAnswer(version: "2", place: place)))
    let commands = story.actions.compactMap {
      if case .command(_, _, let sent) = $0 { sent.word } else { nil }
    }
    #expect(commands == [.unmute])
  }

  @Test func `an unmute is kept until a hub has confirmed it`() throws {
    var story = try MembershipStory()
    try story.join()
    story.handle(.ordered(.mute([.audio]), id: "1"))
    story.handle(.commanded(story.request), .ordered(.unmute([.audio]), id: "2"))
    #expect(story.machine.record.unmuted == [.audio] && story.machine.record.mutedBySelf == [])
  }

  @Test func `a yes is only to what had been asked for`() throws {
    var story = try MembershipStory()
    try story.join()
    func answer(_ asked: Set<TrackKind>) -> Session.BeatAnswer {
      var place = MembershipStory.place()
      (place.desired.mutedBySelf, place.desired.asked) = ([.audio, .video], asked)
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
    var story = try MembershipStory()
    story.handle(.started)
    for _ in 0..<5 {
      story.fail(.refused(401, "tokenRevoked"))
      story.passToRequest()
    }
    let reports = story.actions.filter { if case .report = $0 { true } else { false } }
    #expect(
      reports == [.report(.waiting(.refused(HubRefusal(401, "tokenRevoked", "the words for tokenRevoked"))))])
    #expect((story.now - MonotonicTime(nanoseconds: 0)) >= .seconds(150))
  }

  @Test func `a member whose token is refused joins again with the one that there is then`() throws {
    var story = try Self.joined()
    story.passToDeadline()
    _ = story.takeActions()
    story.fail(.refused(401, "tokenExpired"))
    #expect(story.machine.snapshot.state == "refused")
    #expect(!story.actions.contains(.unpublish(.main)))
    _ = story.takeActions()
    story.passToRequest()
    let joins = story.actions.filter { if case .join = $0 { true } else { false } }
    #expect(joins.count == 1 && story.now - MonotonicTime(nanoseconds: 0) >= .seconds(34))
  }

  @Test func `a network that has changed is tried within a second`() throws {
    var story = try MembershipStory()
    story.handle(.started)
    for _ in 0..<5 {
      story.fail(.lost)
      story.passToRequest()
    }
    story.fail(.lost)
    story.handle(.networkChanged)
    let wait = try #require(story.machine.waitsUntil) - story.now
    #expect(wait <= .seconds(1))
  }

  @Test func `statistics are sent when they have changed`() throws {
    var story = try Self.joined()
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
  func `the record is written again when the broadcast has another id, also out of the session`(
    isOut: Bool
  ) throws {
    var story = try Self.joined()
    if isOut {
      story.passToDeadline()
      story.fail(.refused(409, "superseded"))
      _ = story.takeActions()
    }
    story.handle(.broadcastRenewed)
    #expect(story.actions == [.remember(story.machine.record)])
    #expect(story.machine.record.verdict == (isOut ? .superseded : nil))
  }

  @Test func `a superseded box unpublishes, keeps its mutes, and lets the operator lift them`() throws {
    var story = try Self.joined()
    story.passToDeadline()
    var answer = MembershipStory.place(3)
    answer.desired.muted = [.audio]
    answer.desired.mutedByOthers = [.audio]
    story.handle(.beaten(story.request, Session.BeatAnswer(version: "3", place: answer)))
    story.passToDeadline()
    _ = story.takeActions()
    story.fail(.refused(409, "superseded"))
    #expect(story.actions.contains(.unpublish(.main)))
    #expect(story.machine.snapshot.muted == [.audio])
    story.handle(.ordered(.unmute([.audio]), id: "one"))
    #expect(story.machine.snapshot.muted == [])
    #expect(story.actions.contains(.report(.answered(.unmute([.audio]), id: "one", .done))))
  }
}

extension MembershipStory {
  var joinIDs: [String] {
    actions.compactMap { action in
      guard case .join(_, let request) = action else { return nil }
      return request.requestID
    }
  }

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
