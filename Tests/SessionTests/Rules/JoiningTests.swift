import HoldfastMediaModel
import Testing

@testable import HoldfastSession

@Suite final class JoiningTests {
  private var story = SessionStory.busy

  @Test(
    arguments: [
      (Session.Standing.host, nil), (.local, nil), (.participant, .noSuchSession), (.worker, .noSuchSession),
      (.operator, .notAllowed(.join)),
    ] as [(Session.Standing, Session.Refusal?)])
  func `a host's token or the local user creates a session, others wait for one`(
    standing: Session.Standing, refusal: Session.Refusal?
  ) {
    story = SessionStory()
    let kind: Session.Member.Kind = standing == .worker ? .programme : .box
    #expect(story.join("Anna", standing, kind).refusal == refusal)
  }

  @Test func `where anyone creates, a participant does, and is not host`() {
    story = SessionStory()
    #expect(story.join("Left", with: { $0.anyoneCreates = true }).refusal == nil)
    #expect(story.host == nil)
    #expect(story.join("Anna", .host, .person).refusal == nil)
    #expect(story.host == "Anna")
  }

  @Test func `the same key and token are the same member, and its older lease is superseded`() throws {
    let (id, old) = (story.id("Left"), story.caller("Left"))
    #expect(story.apply(.mute(id, [.audio]), by: "Anna").refusal == nil)
    let events = try #require(story.rejoin("Left").events)
    #expect(story.id("Left") == id)
    #expect(story.member("Left")?.mute.byOthers == [.audio])
    #expect(story.apply(.ready, by: old).refusal == .superseded)
    #expect(story.apply(.ready, by: "Left").refusal == nil)
    guard case .joined(id, _, _, _, returned: true) = events.first else {
      Issue.record("not a return: \(events)")
      return
    }
  }

  @Test func `the same key by another token is another member`() {
    story = SessionStory.hosted()
    for name in ["Left", "Other"] { story.join(name, key: "key") }
    #expect(story.id("Left") != story.id("Other"))
    #expect(story.present == ["Anna", "Left", "Other"])
  }

  @Test func `a member that crashed comes back as itself after its lease is over`() {
    let (id, old) = (story.id("Max"), story.caller("Max"))
    story.silence("Max", for: .seconds(25))
    #expect(!story.present.contains("Max"))
    #expect(story.apply(.ready, by: old).refusal == .leaseOver)
    story.rejoin("Max")
    #expect(story.id("Max") == id)
    #expect(story.role("Max") == .manager)
  }

  @Test func `a name that the host gave outlasts a return`() throws {
    let name = try Session.DisplayName("Camera 1")
    story.apply(.rename(story.id("Left"), name), by: "Anna")
    story.rejoin("Left")
    #expect(story.member("Left")?.name == name)
  }

  @Test func `a session is full, and a return needs no place`() {
    story = SessionStory.hosted()
    for number in 1..<Session.Limits.members { story.join("Box \(number)") }
    #expect(story.join("One more").refusal == .full)
    #expect(story.rejoin("Box 1").refusal == nil)
    story.apply(.leave, by: "Box 1")
    #expect(story.join("One more").refusal == nil)
    #expect(story.rejoin("Box 1").refusal == .full)
  }

  @Test func `a token brings ten members at a time, and a return needs no place`() {
    story = SessionStory.hosted()
    for number in 1...Session.Limits.membersOfToken { story.join("Box \(number)", token: "one") }
    #expect(story.join("One more", token: "one").refusal == .tokenFull)
    #expect(story.join("Another", token: "another").refusal == nil)
    #expect(story.rejoin("Box 1").refusal == nil)
    story.silence("Box 1", for: .seconds(25))
    #expect(story.join("One more", token: "one").refusal == nil)
    #expect(story.rejoin("Box 1").refusal == .tokenFull)
    var local = SessionStory()
    for number in 1...20 { #expect(local.join("Box \(number)", .local).refusal == nil) }
  }

  @Test func `a worker joins as a programme only, through lock and password`() {
    story = SessionStory.hosted()
    story.apply(.lock, .password(Session.PasswordHash("hash")), by: "Anna")
    #expect(story.join("Worker", .worker, .box).refusal == .notAllowed(.join))
    #expect(story.join("Worker", .worker, .programme).refusal == nil)
    #expect(story.role("Worker") == .participant)
  }

  @Test func `a programme joins by a worker's or a host's token, or as the local user`() {
    for (standing, isRefused) in [
      (Session.Standing.host, false), (.local, false), (.worker, false), (.participant, true),
      (.operator, true),
    ] {
      story = SessionStory.hosted()
      let refusal = story.join("Mix", standing, .programme, with: { $0.anyoneCreates = true }).refusal
      #expect(refusal == (isRefused ? .notAllowed(.join) : nil), "\(standing)")
    }
  }

  @Test func `a join needs a token, not a lease`() throws {
    story = SessionStory.hosted()
    let join = Session.Join(
      key: "key", name: try Session.DisplayName("Anna"), kind: .box, id: SessionStory.id(7))
    #expect(story.apply(.join(join), by: "Anna").refusal == .notAllowed(.join))
  }

  @Test func `a token acts for the members that came by it`() {
    let own = Session.Credential(.participant, token: "token of Left")
    story.apply(.mute(nil, [.audio]), by: "Left")
    story.apply(.unmute(story.id("Left"), [.audio]), by: "Anna")
    var member: Session.Member?
    for command in [Session.Command.ready, .answer(true), .leave] {
      member = story.member("Left")
      #expect(story.apply(command, by: .token(own)).refusal == .memberNeeded)
      #expect(story.apply(command, by: .token(own, as: story.id("Right"))).refusal == .noSuchMember)
      let without = Session.Credential(.participant)
      #expect(story.apply(command, by: .token(without, as: story.id("Left"))).refusal == .noSuchMember)
      #expect(story.apply(command, by: .token(own, as: story.id("Left"))).refusal == nil)
    }
    // As it was before it left.
    #expect(member?.isReady == true && member?.mute.muted == [] && !story.present.contains("Left"))
  }

  @Test func `the local user acts for members without a token`() {
    story = SessionStory(("Anna", .local, .person), ("Left", .local, .box))
    let local = Session.Credential(.local)
    #expect(story.apply(.ready, by: .token(local, as: story.id("Left"))).refusal == nil)
    // What the host may, its own user may, by a member too.
    #expect(story.apply(.lock, by: "Left").refusal == nil)
    #expect(story.host == "Anna")
  }
}
