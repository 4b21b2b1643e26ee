import HoldfastMediaModel
import Testing

@testable import HoldfastSession

@Suite final class MutingTests {
  private var story = SessionStory.busy
  private var left: Session.Member.ID { story.id("Left") }

  @Test func `muted is what either says, and each writes its own bit only`() throws {
    #expect(story.apply(.mute(nil, [.audio]), by: "Left").events == [.muted(left, [.audio], .oneself)])
    let muted = story.apply(.mute(left, [.audio, .video]), by: "Max").events
    #expect(muted == [.muted(left, [.audio, .video], .others)])
    let mute = try #require(story.member("Left")?.mute)
    #expect([mute.bySelf, mute.byOthers, mute.muted] == [[.audio], [.audio, .video], [.audio, .video]])
    #expect(story.apply(.mute(left, [.audio]), by: "Max").events == [])
  }

  @Test func `naming oneself is the same as naming nobody`() {
    #expect(story.apply(.mute(left, [.audio]), by: "Left").events == [.muted(left, [.audio], .oneself)])
    #expect(story.apply(.unmute(left, [.audio]), by: "Left").events == [.unmuted(left, [.audio], .oneself)])
  }

  @Test func `a member can't lift what others muted`() {
    story.apply(.mute(left, [.audio]), by: "Anna")
    story.apply(.mute(nil, [.audio, .video]), by: "Left")
    #expect(story.apply(.unmute(nil, [.audio]), by: "Left").refusal == .mutedByOthers)
    #expect(story.apply(.unmute(nil, [.video]), by: "Left").events == [.unmuted(left, [.video], .oneself)])
    #expect(story.member("Left")?.mute.muted == [.audio])
  }

  @Test func `others lift their own bit at once and ask for the member's`() {
    story.apply(.mute(left, [.audio]), by: "Anna")
    story.apply(.mute(nil, [.audio]), by: "Left")
    let events = story.apply(.unmute(left, [.audio]), by: "Max").events
    #expect(events == [.unmuted(left, [.audio], .others), .unmuteAsked(left, [.audio])])
    #expect(story.member("Left")?.mute.muted == [.audio])
    #expect(story.apply(.answer(true), by: "Left").events == [.unmuted(left, [.audio], .oneself)])
    #expect(story.member("Left")?.mute == Session.Mute())
    #expect(story.apply(.answer(true), by: "Left").refusal == .notAsked)
  }

  @Test func `a member may decline, and is muted as before`() {
    story.apply(.mute(nil, [.audio]), by: "Left")
    story.apply(.unmute(left, [.audio]), by: "Anna")
    #expect(story.apply(.answer(false), by: "Left").events == [.unmuteDeclined(left)])
    #expect(story.member("Left")?.mute.bySelf == [.audio])
    #expect(story.apply(.answer(true), by: "Left").refusal == .notAsked)
  }

  @Test func `unmuting oneself answers what was asked`() {
    story.apply(.mute(nil, [.audio]), by: "Left")
    story.apply(.unmute(left, [.audio]), by: "Anna")
    story.apply(.unmute(nil, [.audio]), by: "Left")
    #expect(story.apply(.answer(true), by: "Left").refusal == .notAsked)
  }

  @Test func `mute-all spares host, managers and programmes, and does not bind who joins later`() {
    story.join("Mix", .host, .programme)
    let events = story.apply(.muteAll([.audio]), by: "Max").events
    #expect(events == [left, story.id("Right")].map { Session.Event.muted($0, [.audio], .others) })
    story.join("Late")
    for name in ["Late", "Anna"] { #expect(story.member(name)?.mute.muted == [], "\(name)") }
  }

  @Test func `what others muted outlasts leaving and coming back`() {
    story.apply(.mute(left, [.audio]), by: "Anna")
    story.apply(.leave, by: "Left")
    for _ in 0..<2 {
      story.rejoin("Left", with: { $0.lifted = [.audio] })
      #expect(story.member("Left")?.mute.byOthers == [.audio])
    }
  }

  @Test func `with neither host nor manager there for 30 s, a member may lift both`() {
    story = SessionStory.hosted("Left")
    story.apply(.mute(left, [.audio]), by: "Anna")
    story.apply(.mute(nil, [.audio]), by: "Left")
    story.apply(.leave, by: "Anna")
    story.pass(.seconds(29))
    #expect(story.apply(.unmute(nil, [.audio]), by: "Left").refusal == .mutedByOthers)
    story.pass(.seconds(1))
    let events = story.apply(.unmute(nil, [.audio]), by: "Left").events
    #expect(events == [.unmuted(left, [.audio], .others), .unmuted(left, [.audio], .oneself)])
  }

  @Test func `the 30 s begin with the last beat of the last leader`() {
    story = SessionStory.hosted("Left")
    story.apply(.mute(left, [.audio]), by: "Anna")
    story.silence("Anna", for: .seconds(29))
    #expect(story.apply(.unmute(nil, [.audio]), by: "Left").refusal == .mutedByOthers)
    story.pass(.seconds(1))
    #expect(story.apply(.unmute(nil, [.audio]), by: "Left").refusal == nil)
  }

  @Test func `a manager that is there keeps what was muted`() {
    story = SessionStory.hosted("Left", "Right")
    story.apply(.manager(story.id("Right")), .mute(left, [.audio]), .leave, by: "Anna")
    story.pass(.seconds(60))
    #expect(story.apply(.unmute(nil, [.audio]), by: "Left").refusal == .mutedByOthers)
  }

  @Test func `a member without a hub for a lease lifts what others muted, and says so when it returns`() {
    story.apply(.mute(left, [.audio, .video]), by: "Anna")
    let lastBeat = story.now
    story.loseStore(for: .seconds(60))
    let events = story.rejoin("Left", with: { ($0.lifted, $0.lastBeat) = ([.audio], lastBeat) }).events
    #expect(events?.last == .unmuted(left, [.audio], .others))
    #expect(story.member("Left")?.mute.byOthers == [.video])
  }

  @Test func `screens that are locked end, and nobody shares one`() {
    #expect(story.apply(.share, by: "Left").events == [.reported(left, .sharesScreen(true))])
    #expect(story.apply(.share, by: "Left").events == [])
    let locked = story.apply(.lockScreens, by: "Max").events
    #expect(locked == [.screensLocked, .reported(left, .sharesScreen(false))])
    for name in ["Left", "Anna"] { #expect(story.apply(.share, by: name).refusal == .screensLocked) }
    #expect(story.apply(.unshare, by: "Left").events == [])
    #expect(story.apply(.unlockScreens, by: "Max").events == [.screensUnlocked])
    #expect(story.apply(.share, by: "Left").refusal == nil)
  }

  @Test func `a muted member that becomes host lifts it`() {
    story = SessionStory(("Anna", .host, .person), ("Left", .host, .box))
    story.apply(.muteAll([.audio]), .leave, by: "Anna")
    #expect(story.host == "Left")
    #expect(story.apply(.unmute(nil, [.audio]), by: "Left").events == [.unmuted(left, [.audio], .others)])
  }

  @Test func `a host that a manager has muted lifts it`() {
    let id = story.id("Anna")
    story.apply(.mute(id, [.audio]), .leave, by: "Max")
    #expect(story.apply(.unmute(nil, [.audio]), by: "Anna").events == [.unmuted(id, [.audio], .others)])
  }

  @Test func `a muted member that is made manager lifts it`() {
    story.apply(.mute(left, [.audio]), .manager(left), .leave, by: "Anna")
    #expect(story.apply(.unmute(nil, [.audio]), by: "Left").events == [.unmuted(left, [.audio], .others)])
  }

  @Test func `a failover of a moment lifts nothing`() {
    story.apply(.mute(left, [.audio]), by: "Anna")
    let lastBeat = story.now
    story.now = story.now + .milliseconds(19_999)
    story.beginEpoch()
    let lift: (inout Session.Join) -> Void = { ($0.lifted, $0.lastBeat) = ([.audio], lastBeat) }
    var later = story
    #expect(story.rejoin("Left", with: lift).events?.count == 1)
    #expect(story.member("Left")?.mute.byOthers == [.audio])
    later.now = later.now + .milliseconds(1)
    later.rejoin("Left", with: lift)
    #expect(later.member("Left")?.mute.byOthers == [])
  }
}
