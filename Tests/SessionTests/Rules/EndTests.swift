import HoldfastMediaModel
import Testing

@testable import HoldfastSession

@Suite final class EndTests {
  private var story = SessionStory.busy

  @Test func `the host ends the session for all, and who was away learns it for 24 hours`() {
    story.silence("Right", for: .seconds(30))
    #expect(story.apply(.end, by: "Anna").events == [.ended(.ended)])
    for name in ["Anna", "Max", "Left", "Right"] {
      #expect(story.apply(.ready, by: name).refusal == .sessionOver(.ended))
      #expect(story.rejoin(name).refusal == .sessionOver(.ended))
    }
    story.pass(.seconds(86_399))
    #expect(story.rejoin("Left").refusal == .sessionOver(.ended))
    story.pass(.seconds(1))
    #expect(story.session.isForgotten)
    #expect(story.rejoin("Left").refusal == .noSuchSession)
  }

  @Test func `a new session of the name may begin at once, without who was in the last one`() {
    story.apply(.end, by: "Anna")
    #expect(story.join("Moritz").refusal == .noSuchSession)
    #expect(story.join("Moritz", .host, .person).refusal == nil)
    #expect(story.host == "Moritz")
    #expect(story.apply(.ready, by: "Left").refusal == .sessionOver(.ended))
    #expect(story.rejoin("Left").refusal == .sessionOver(.ended))
    #expect(story.join("Left", key: "new key").refusal == nil)
  }

  @Test func `who was in one session learns its end, whatever became of the next ones`() {
    story.apply(.end, by: "Anna")
    story.join("Moritz", .host, .person)
    story.apply(.leave, by: "Moritz")
    #expect(story.pass(.seconds(300)).last == .ended(.empty))
    story.join("Nina", .host, .person)
    story.apply(.end, by: "Nina")
    for name in ["Left", "Nina"] { #expect(story.rejoin(name).refusal == .sessionOver(.ended)) }
    #expect(story.rejoin("Moritz").refusal == nil)
    // Even where no hub has looked for a day.
    story.now = story.now + .seconds(86_400)
    #expect(story.rejoin("Left").refusal == nil)
  }

  @Test func `an operator ends a session and does nothing else to it`() {
    let token = Session.Caller.token(Session.Credential(.operator, token: "operator"))
    #expect(story.apply(.lock, by: token).refusal == .notAllowed(.lock))
    #expect(story.apply(.end, by: token).events == [.ended(.ended)])
  }

  @Test func `a session is over when it has been empty for five minutes`() {
    for name in ["Anna", "Max", "Left"] { story.apply(.leave, by: name) }
    story.pass(.seconds(600))
    #expect(story.session.meeting != nil)
    story.join("Mix", .worker, .programme)
    story.apply(.leave, by: "Right")
    story.pass(.seconds(299))
    #expect(story.session.meeting != nil)
    #expect(story.pass(.seconds(1)).last == .ended(.empty))
  }

  @Test func `who comes back before that finds the session as it was`() {
    story.apply(.lockScreens, by: "Anna")
    for name in ["Anna", "Max", "Left", "Right"] { story.apply(.leave, by: name) }
    story.pass(.seconds(299))
    story.rejoin("Left")
    story.pass(.seconds(600))
    #expect(story.session.meeting?.screensAreLocked == true)
  }

  @Test func `a session that ended by being empty is created anew by who comes back`() {
    for name in ["Anna", "Max", "Left", "Right"] { story.apply(.leave, by: name) }
    story.pass(.seconds(300))
    #expect(story.apply(.ready, by: "Left").refusal == .leaseOver)
    #expect(story.rejoin("Left").refusal == .noSuchSession)
    #expect(story.rejoin("Anna").refusal == nil)
    #expect(story.rejoin("Left").refusal == nil)
  }

  @Test func `what is on air is over with the session`() throws {
    let events = story.apply(try story.sample(.live), .end, by: "Anna").events
    #expect(events == [.onAir(job: "job", .over, reason: "sessionOver"), .ended(.ended)])
  }

  @Test func `who leaves is out, and its lease too`() {
    let left = Session.Event.left(story.id("Left"), .left, story.leases["Left"])
    #expect(story.apply(.leave, by: "Left").events?.withoutStage == [left])
    #expect(story.apply(.ready, by: "Left").refusal == .leaseOver)
  }
}
