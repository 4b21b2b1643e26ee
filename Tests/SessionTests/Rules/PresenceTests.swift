import HoldfastMediaModel
import Testing

@testable import HoldfastSession

@Suite final class PresenceTests {
  private var story = SessionStory.busy

  @Test func `a member is silent after 13 s, and has left after 20`() throws {
    let (id, lease) = (story.id("Left"), try #require(story.leases["Left"]))
    #expect(story.silence("Left", for: .milliseconds(12_999)) == [])
    #expect(story.pass(.milliseconds(1)) == [.reported(id, .silent(true))])
    #expect(story.pass(.milliseconds(6999)) == [])
    let before = story.session
    let events = story.pass(.milliseconds(1))
    #expect(events.withoutStage == [.left(id, .expired, lease)])
    #expect(story.session.presenceChanges(since: before, events) == [.expire(id, lease)])
  }

  @Test func `a beat of an older lease keeps nobody in`() {
    let old = story.leases["Left"]
    story.rejoin("Left")
    story.beating.remove("Left")
    for _ in 0..<4 {
      if let old { story.presence.beats[old] = story.now }
      story.pass(.seconds(5))
    }
    #expect(!story.present.contains("Left"))
  }

  @Test func `nobody expires for a lease after the store was away`() {
    story.beating = []
    story.pass(.seconds(10))
    story.loseStore(for: .seconds(420))
    #expect(story.pass(.milliseconds(12_999)) == [])
    story.pass(.seconds(7))
    #expect(story.present.count == 4)
    story.pass(.milliseconds(1))
    #expect(story.present == [])
  }

  @Test func `nobody expires for a lease after a new epoch, and all join again`() {
    story.beating = []
    story.beginEpoch()
    #expect(story.apply(.lock, by: "Anna").refusal == .leaseOver)
    story.pass(.seconds(19))
    #expect(story.present.count == 4)
    for name in ["Anna", "Max", "Left", "Right"] { #expect(story.rejoin(name).refusal == nil) }
    story.pass(.seconds(60))
    #expect(story.host == "Anna")
    #expect(story.role("Max") == .manager)
  }

  @Test func `a host that was away when the store was has a lease to come back in`() {
    story.silence("Anna", for: .seconds(25))
    story.loseStore(for: .seconds(60))
    story.pass(.seconds(19))
    #expect(story.host == "Anna")
    story.pass(.seconds(1))
    #expect(story.host == "Max")
  }

  @Test func `a hub that is new to the store ends no session as empty`() {
    story = SessionStory.hosted()
    story.apply(.leave, by: "Anna")
    story.pass(.seconds(200))
    story.loseStore(for: .seconds(3600))
    story.pass(.seconds(299))
    #expect(story.session.meeting != nil)
    story.pass(.seconds(1))
    #expect(story.session.meeting == nil)
  }

  @Test func `when to look next is never in the past for long, and looking earlier does nothing`() {
    story.beating.remove("Right")
    for _ in 0..<40 {
      let due = story.session.nextCheck(story.presence, at: story.now) ?? story.now
      #expect(due > story.now)
      var early = story.session
      #expect(early.advance(to: WallTime(nanoseconds: due.nanoseconds - 1), story.presence) == [])
      story.pass(.seconds(1))
    }
  }

  @Test func `a join adds a presence; a newer one, a departure, a removal and the end take it away`() throws {
    func changes(_ act: (inout SessionStory) -> SessionStory.Outcome) -> Set<Session.PresenceChange> {
      let before = story.session
      let events = act(&story).events ?? []
      return Set(story.session.presenceChanges(since: before, events))
    }
    let ids = ["Anna", "Max", "Left", "Right"].map { story.id($0) }
    let old = try ["Anna", "Max", "Left", "Right"].map { try #require(story.leases[$0]) }
    let rejoined = changes { $0.rejoin("Right") }
    let new = try #require(story.leases["Right"])
    #expect(rejoined == [.remove(ids[3], old[3]), .add(ids[3], new)])
    #expect(changes { $0.apply(.remove(ids[2]), by: "Anna") } == [.remove(ids[2], old[2])])
    #expect(changes { $0.apply(.leave, by: "Max") } == [.remove(ids[1], old[1])])
    #expect(changes { $0.apply(.lock, by: "Anna") } == [])
    #expect(changes { $0.apply(.end, by: "Anna") } == [.remove(ids[0], old[0]), .remove(ids[3], new)])
  }

  @Test func `a clock that is set back ends nobody's silence`() {
    #expect(story.silence("Left", for: .seconds(13)) == [.reported(story.id("Left"), .silent(true))])
    story.now = story.now - .milliseconds(900)
    #expect(story.pass(.milliseconds(900)) == [])
    story.beat("Left")
    #expect(story.pass(.milliseconds(1)) == [.reported(story.id("Left"), .silent(false))])
  }

  @Test func `a hub that is new to the store calls nobody heard who was not`() {
    story.silence("Left", for: .seconds(15))
    let before = story.session
    // The other hub has reached the store only now.
    let other = Session.Presence(beats: story.presence.beats, contactSince: story.now)
    #expect(story.session.advance(to: story.now, other) == [])
    #expect(story.session == before)
    #expect(story.session.nextCheck(other, at: story.now).map { $0 > story.now } == true)
    // It is heard by both at once.
    story.beat("Left")
    #expect(story.pass(.milliseconds(1)) == [.reported(story.id("Left"), .silent(false))])
  }
}
