import HoldfastMediaModel
import Testing

@testable import HoldfastSession

@Suite final class AdmissionTests {
  private var story = SessionStory.busy

  private static let hash = Session.PasswordHash("salt and hash")

  @Test func `a locked session admits nobody new, and who lost the line`() {
    #expect(story.apply(.lock, by: "Anna").events == [.locked])
    #expect(story.apply(.lock, by: "Anna").events == [])
    #expect(story.join("New").refusal == .locked)
    #expect(story.join("New", .host, .person).refusal == .locked)
    story.silence("Left", for: .seconds(30))
    #expect(!story.present.contains("Left"))
    #expect(story.rejoin("Left").refusal == nil)
    story.apply(.leave, by: "Right")
    #expect(story.rejoin("Right").refusal == .locked)
    #expect(story.apply(.unlock, by: "Anna").events == [.unlocked])
    #expect(story.rejoin("Right").refusal == nil)
  }

  @Test func `a password is asked for again until it is right`() {
    story = SessionStory.hosted()
    #expect(story.apply(.password(Self.hash), by: "Anna").events == [.passwordChanged(true)])
    #expect(story.join("Left").refusal == .passwordNeeded)
    #expect(story.join("Left", with: { $0.password = .wrong }).refusal == .passwordWrong)
    #expect(story.join("Left", with: { $0.password = .right }).refusal == nil)
    #expect(story.rejoin("Left").refusal == nil)
    #expect(story.apply(.password(nil), by: "Anna").events == [.passwordChanged(false)])
    #expect(story.join("Right").refusal == nil)
  }

  @Test func `the creator sets a password, which the creator needs not give`() {
    story = SessionStory()
    #expect(story.join("Anna", .host, .person, with: { $0.newPassword = Self.hash }).refusal == nil)
    #expect(story.session.meeting?.password == Self.hash)
    #expect(story.join("Max", .host, .person).refusal == .passwordNeeded)
  }

  @Test func `while there is no host, a host's token passes lock and password`() {
    story = SessionStory.hosted("Left")
    story.apply(.lock, .password(Self.hash), .leave, by: "Anna")
    #expect(story.host == nil)
    #expect(story.join("New").refusal == .locked)
    #expect(story.join("Max", .host, .person).refusal == nil)
    #expect(story.host == "Max")
    #expect(story.join("Moritz", .host, .person).refusal == .locked)
  }

  @Test func `a removed member stays out by its token, whatever its key, until it is readmitted`() {
    let (id, lease) = (story.id("Left"), story.caller("Left"))
    let events = story.apply(.remove(id), by: "Max").events
    #expect(events?.first == .removed(id))
    #expect(events?.withoutStage.count == 2)
    #expect(story.apply(.ready, by: lease).refusal == .removed)
    #expect(story.rejoin("Left").refusal == .removed)
    #expect(story.join("Disguise", key: "new key", token: "token of Left").refusal == .removed)
    #expect(story.apply(.readmit(id), by: "Max").refusal == .notAllowed(.readmit))
    #expect(story.apply(.readmit(id), by: "Anna").events == [.readmitted(id)])
    #expect(story.apply(.readmit(id), by: "Anna").refusal == .notRemoved)
    #expect(story.rejoin("Left").refusal == nil)
  }

  @Test func `a member without a token is removed by its key`() {
    story = SessionStory(("Anna", .local, .box), ("Left", .local, .box), ("Right", .local, .box))
    story.apply(.remove(story.id("Left")), by: "Anna")
    #expect(story.rejoin("Left").refusal == .removed)
    #expect(story.rejoin("Right").refusal == nil)
  }

  @Test func `a member that is away can be removed`() {
    story.apply(.leave, by: "Left")
    #expect(story.apply(.remove(story.id("Left")), by: "Anna").events == [.removed(story.id("Left"))])
    #expect(story.rejoin("Left").refusal == .removed)
  }

  @Test func `neither the host nor who may reclaim the role can be removed`() {
    #expect(story.apply(.remove(story.id("Anna")), by: "Max").refusal == .notRemovable)
    story.silence("Anna", for: .seconds(40))
    #expect(story.host == "Max")
    #expect(story.apply(.remove(story.id("Anna")), by: "Max").refusal == .notRemovable)
    story.rejoin("Anna")
    #expect(story.apply(.remove(story.id("Anna")), by: "Max").refusal == .notRemovable)
    story.apply(.reclaim, by: "Anna")
    #expect(story.apply(.remove(story.id("Max")), by: "Anna").refusal == nil)
  }

  @Test func `what is being removed, muted or renamed has to be there`() throws {
    let stranger = SessionStory.id(77)
    let name = try Session.DisplayName("New")
    for command in [
      Session.Command.remove(stranger), .mute(stranger, [.audio]), .unmute(stranger, [.audio]),
      .rename(stranger, name), .host(stranger), .manager(stranger), .revoke(stranger),
    ] {
      #expect(story.apply(command, by: "Anna").refusal == .noSuchMember)
    }
  }

  @Test func `a removed member's token gives no commands, until the member is readmitted`() {
    let (id, token) = (story.id("Max"), Session.Credential(.host, token: "token of Max"))
    story.join("Second", .host, .box, token: "token of Max")
    story.apply(.remove(id), by: "Anna")
    let before = story.session
    for command in [Session.Command.readmit(id), .lock, .end] {
      #expect(story.apply(command, by: .token(token)).refusal == .removed)
    }
    #expect(story.apply(.ready, by: .token(token, as: id)).refusal == .removed)
    #expect(story.apply(.ready, by: .token(token, as: story.id("Second"))).refusal == .removed)
    #expect(story.session == before)
    let other = Session.Credential(.host, token: "another")
    #expect(story.apply(.readmit(id), by: .token(other)).refusal == nil)
    #expect(story.apply(.lock, by: .token(token)).refusal == nil)
  }

  @Test func `an operator's and a worker's token outlast a removal`() throws {
    story.join("Mix", .worker, .programme, token: "all sessions")
    story.apply(try story.sample(.live), by: "Anna")
    story.apply(.remove(story.id("Mix")), by: "Anna")
    let worker = Session.Credential(.worker, token: "all sessions")
    #expect(story.apply(try story.sample(.take), by: .token(worker)).refusal == nil)
    let chief = Session.Credential(.operator, token: "all sessions")
    #expect(story.apply(.end, by: .token(chief)).refusal == nil)
  }

  @Test func `a list of removed members that is full is refused as that`() {
    story = SessionStory.hosted()
    for number in 0..<Session.Limits.removed {
      story.join("Box \(number)")
      #expect(story.apply(.remove(story.id("Box \(number)")), by: "Anna").refusal == nil)
    }
    story.join("Last")
    #expect(story.apply(.remove(story.id("Last")), by: "Anna").refusal == .tooManyRemoved)
  }
}
