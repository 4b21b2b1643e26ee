import HoldfastMediaModel
import Testing

@testable import HoldfastSession

/// What has broken elsewhere, as far as the rules decide it.
@Suite final class TroubleTests {
  private var story = SessionStory.busy

  @Test func `two sessions of one name`() throws {
    let names = try ["Hall", "HALL", "hall"].map { name throws(Session.Refusal) in try Session.Name(name) }
    #expect(Set(names).count == 1)
    // Who comes second joins, it does not create.
    story = SessionStory.hosted()
    story.apply(.lockScreens, by: "Anna")
    story.join("Max", .host, .person, with: { $0.newPassword = Session.PasswordHash("another") })
    let meeting = story.session.meeting
    #expect(story.host == "Anna")
    #expect(meeting?.screensAreLocked == true && meeting?.password == nil)
  }

  @Test func `one hub's empty view ends everybody's session`() {
    // A hub that has just come, and knows no beat at all.
    let blind = Session.Presence(contactSince: story.now)
    for seconds in stride(from: Int64(0), to: 20, by: 1) {
      var session = story.session
      let events = session.advance(to: story.now + .seconds(seconds), blind)
      #expect(!events.map(\.name).contains("left"))
    }
    // Even when it waits, it only expires leases, which the store refuses; it never ends what is not empty.
    var session = story.session
    let events = session.advance(to: story.now + .seconds(400), blind)
    #expect(session.meeting != nil)
    #expect(!events.contains { $0.name == "ended" })
    #expect(session.presenceChanges(since: story.session, events).count == 4)
  }

  @Test func `a wrong answer just after a join`() {
    story.join("New")
    // The hub looks before the first beat has reached it.
    story.presence.beats[story.leases["New"] ?? Session.Lease(epoch: 0, sequence: 0)] = nil
    #expect(story.session.advance(to: story.now, story.presence) == [])
    #expect(story.apply(.ready, by: "New").refusal == nil)
    #expect(story.present.contains("New"))
  }

  @Test func `the store away for seven minutes`() {
    let before = story.session
    story.pass(.seconds(12))
    story.loseStore(for: .seconds(420))
    story.beatAll()
    story.pass(.seconds(120))
    #expect(story.session == before)
    for name in ["Anna", "Max", "Left", "Right"] {
      #expect(story.apply(.report(Session.Member.Report()), by: name).refusal == nil)
    }
  }

  @Test func `a blip makes the wrong person host`() {
    story.beating = []
    // The network is gone for all, then for the host a little longer, in the middle of its absence.
    story.pass(.seconds(19))
    story.loseStore(for: .seconds(30))
    story.beating = ["Max", "Left", "Right"]
    story.beatAll()
    story.pass(.seconds(18))
    story.beating.insert("Anna")
    story.beatAll()
    story.pass(.seconds(120))
    #expect(story.host == "Anna")
    #expect(story.events.filter { $0.name == "hostChanged" }.count == 1)
  }

  @Test func `a member whose hub died comes back through another one`() {
    let (id, lease) = (story.id("Left"), story.leases["Left"])
    // The other hub has been in touch with the store for an hour, and has the beats from it.
    story.presence.contactSince = WallTime(nanoseconds: story.now.nanoseconds - 3_600_000_000_000)
    story.silence("Left", for: .seconds(15))
    story.beat("Left")
    story.beating.insert("Left")
    story.pass(.seconds(60))
    #expect(story.member("Left")?.lease == lease)
    #expect(story.rejoin("Left").refusal == nil)
    #expect(story.id("Left") == id)
  }

  @Test func `a late writer with an old lease`() throws {
    let old = story.caller("Anna")
    story.rejoin("Anna")
    #expect(story.apply(.end, by: old).refusal == .superseded)
    story.beginEpoch()
    #expect(story.apply(.end, by: old).refusal == .leaseOver)
    story.rejoin("Anna")
    #expect(story.apply(.end, by: old).refusal == .leaseOver)
    #expect(story.session.meeting != nil)
    // Nor does it come back as somebody else with a number of its own, or another's.
    let forged = Session.Lease(epoch: story.session.epoch.number, sequence: 1_000_000)
    for lease in [forged, try #require(story.leases["Max"])] {
      #expect(story.apply(.end, by: .member(story.id("Anna"), lease)).refusal == .leaseOver)
    }
  }

  @Test func `events seen in different orders`() throws {
    // A hub that loads the session anew after each step sees what one that never did sees.
    for seed in 0..<20 as Range<UInt64> {
      var (life, twin) = (RandomSession(seed: seed), RandomSession(seed: seed))
      for _ in 0..<100 {
        life.run(steps: 1)
        twin.run(steps: 1)
        try twin.reload()
      }
      #expect(life.path == twin.path && life.session == twin.session, "SEED=\(seed)")
    }
  }
}
