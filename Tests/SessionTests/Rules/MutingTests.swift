import HoldfastMediaModel
import Testing

@testable import HoldfastSession

@Suite struct MutingTests {
  private var story = SessionStory.busy
  private var left: Session.Member.ID { story.id("Left") }

  @Test mutating func `muted is what either says, and each writes its own bit only`() {
    #expect(story.apply(.mute(nil, [.audio]), by: "Left").events == [.muted(left, [.audio], .oneself)])
    #expect(
      story.apply(.mute(left, [.audio, .video]), by: "Max").events == [
        .muted(left, [.audio, .video], .others)
      ])
    #expect(story.member("Left")?.mute.bySelf == [.audio])
    #expect(story.member("Left")?.mute.byOthers == [.audio, .video])
    #expect(story.member("Left")?.mute.muted == [.audio, .video])
    #expect(story.apply(.mute(left, [.audio]), by: "Max").events == [])
  }

  @Test mutating func `naming oneself is the same as naming nobody`() {
    #expect(story.apply(.mute(left, [.audio]), by: "Left").events == [.muted(left, [.audio], .oneself)])
    #expect(story.apply(.unmute(left, [.audio]), by: "Left").events == [.unmuted(left, [.audio], .oneself)])
  }

  @Test mutating func `a member can't lift what others muted`() {
    story.apply(.mute(left, [.audio]), by: "Anna")
    story.apply(.mute(nil, [.audio, .video]), by: "Left")
    #expect(story.apply(.unmute(nil, [.audio]), by: "Left").refusal == .mutedByOthers)
    #expect(story.apply(.unmute(nil, [.video]), by: "Left").events == [.unmuted(left, [.video], .oneself)])
    #expect(story.member("Left")?.mute.muted == [.audio])
  }

  @Test mutating func `others lift their own bit at once and ask for the member's`() {
    story.apply(.mute(left, [.audio]), by: "Anna")
    story.apply(.mute(nil, [.audio]), by: "Left")
    #expect(
      story.apply(.unmute(left, [.audio]), by: "Max").events == [
        .unmuted(left, [.audio], .others), .unmuteAsked(left, [.audio]),
      ])
    #expect(story.member("Left")?.mute.muted == [.audio])
    #expect(story.apply(.answer(true), by: "Left").events == [.unmuted(left, [.audio], .oneself)])
    #expect(story.member("Left")?.mute == Session.Mute())
    #expect(story.apply(.answer(true), by: "Left").refusal == .notAsked)
  }

  @Test mutating func `a member may decline, and is muted as before`() {
    story.apply(.mute(nil, [.audio]), by: "Left")
    story.apply(.unmute(left, [.audio]), by: "Anna")
    #expect(story.apply(.answer(false), by: "Left").events == [.unmuteDeclined(left)])
    #expect(story.member("Left")?.mute.bySelf == [.audio])
    #expect(story.apply(.answer(true), by: "Left").refusal == .notAsked)
  }

  @Test mutating func `unmuting oneself answers what was asked`() {
    story.apply(.mute(nil, [.audio]), by: "Left")
    story.apply(.unmute(left, [.audio]), by: "Anna")
    story.apply(.unmute(nil, [.audio]), by: "Left")
    #expect(story.apply(.answer(true), by: "Left").refusal == .notAsked)
  }

  @Test mutating func `mute-all spares host, managers and programmes, and does not bind who joins later`() {
    story.join("Mix", .host, .programme)
    #expect(
      story.apply(.muteAll([.audio]), by: "Max").events == [
        .muted(left, [.audio], .others), .muted(story.id("Right"), [.audio], .others),
      ])
    story.join("Late")
    #expect(story.member("Late")?.mute.muted == [])
    #expect(story.member("Anna")?.mute.muted == [])
  }

  @Test mutating func `what others muted outlasts leaving and coming back`() {
    story.apply(.mute(left, [.audio]), by: "Anna")
    story.apply(.leave, by: "Left")
    story.rejoin("Left", with: { $0.lifted = [.audio] })
    #expect(story.member("Left")?.mute.byOthers == [.audio])
    story.rejoin("Left", with: { $0.lifted = [.audio] })
    #expect(story.member("Left")?.mute.byOthers == [.audio])
  }

  @Test mutating func `with neither host nor manager there for 30 s, a member may lift both`() {
    story = SessionStory.hosted
    story.join("Left")
    story.apply(.mute(left, [.audio]), by: "Anna")
    story.apply(.mute(nil, [.audio]), by: "Left")
    story.apply(.leave, by: "Anna")
    story.pass(.seconds(29))
    #expect(story.apply(.unmute(nil, [.audio]), by: "Left").refusal == .mutedByOthers)
    story.pass(.seconds(1))
    #expect(
      story.apply(.unmute(nil, [.audio]), by: "Left").events == [
        .unmuted(left, [.audio], .others), .unmuted(left, [.audio], .oneself),
      ])
  }

  @Test mutating func `the 30 s begin with the last beat of the last leader`() {
    story = SessionStory.hosted
    story.join("Left")
    story.apply(.mute(left, [.audio]), by: "Anna")
    story.silence("Anna", for: .seconds(29))
    #expect(story.apply(.unmute(nil, [.audio]), by: "Left").refusal == .mutedByOthers)
    story.pass(.seconds(1))
    #expect(story.apply(.unmute(nil, [.audio]), by: "Left").refusal == nil)
  }

  @Test mutating func `a manager that is there keeps what was muted`() {
    story = SessionStory.hosted
    story.join("Left")
    story.join("Right")
    story.apply(.manager(story.id("Right")), by: "Anna")
    story.apply(.mute(left, [.audio]), by: "Anna")
    story.apply(.leave, by: "Anna")
    story.pass(.seconds(60))
    #expect(story.apply(.unmute(nil, [.audio]), by: "Left").refusal == .mutedByOthers)
  }

  @Test
  mutating func `a member without a hub for a lease lifts what others muted, and says so when it returns`() {
    story.apply(.mute(left, [.audio, .video]), by: "Anna")
    let lastBeat = story.now
    story.loseStore(for: .seconds(60))
    let events = story.rejoin(
      "Left",
      with: {
        $0.lifted = [.audio]
        $0.lastBeat = lastBeat
      }
    ).events
    #expect(events?.last == .unmuted(left, [.audio], .others))
    #expect(story.member("Left")?.mute.byOthers == [.video])
  }

  @Test mutating func `screens that are locked end, and nobody shares one`() {
    #expect(story.apply(.share, by: "Left").events == [.reported(left, .sharesScreen(true))])
    #expect(story.apply(.share, by: "Left").events == [])
    #expect(
      story.apply(.lockScreens, by: "Max").events == [.screensLocked, .reported(left, .sharesScreen(false))])
    #expect(story.apply(.share, by: "Left").refusal == .screensLocked)
    #expect(story.apply(.share, by: "Anna").refusal == .screensLocked)
    #expect(story.apply(.unshare, by: "Left").events == [])
    #expect(story.apply(.unlockScreens, by: "Max").events == [.screensUnlocked])
    #expect(story.apply(.share, by: "Left").refusal == nil)
  }

  @Test mutating func `a muted member that becomes host lifts it`() {
    story = SessionStory.hosted
    story.join("Left", .host, .box)
    story.apply(.muteAll([.audio]), by: "Anna")
    story.apply(.leave, by: "Anna")
    #expect(story.host == "Left")
    #expect(story.apply(.unmute(nil, [.audio]), by: "Left").events == [.unmuted(left, [.audio], .others)])
  }

  @Test mutating func `a host that a manager has muted lifts it`() {
    story.apply(.mute(story.id("Anna"), [.audio]), by: "Max")
    story.apply(.leave, by: "Max")
    let id = story.id("Anna")
    #expect(story.apply(.unmute(nil, [.audio]), by: "Anna").events == [.unmuted(id, [.audio], .others)])
  }

  @Test mutating func `a muted member that is made manager lifts it`() {
    story.apply(.mute(left, [.audio]), by: "Anna")
    story.apply(.manager(left), by: "Anna")
    story.apply(.leave, by: "Anna")
    #expect(story.apply(.unmute(nil, [.audio]), by: "Left").events == [.unmuted(left, [.audio], .others)])
  }

  @Test mutating func `a failover of a moment lifts nothing`() {
    story.apply(.mute(left, [.audio]), by: "Anna")
    let lastBeat = story.now
    story.now = story.now + .milliseconds(19_999)
    story.beginEpoch()
    let lift: (inout Session.Join) -> Void = {
      $0.lifted = [.audio]
      $0.lastBeat = lastBeat
    }
    var later = story
    #expect(story.rejoin("Left", with: lift).events?.count == 1)
    #expect(story.member("Left")?.mute.byOthers == [.audio])
    later.now = later.now + .milliseconds(1)
    later.rejoin("Left", with: lift)
    #expect(later.member("Left")?.mute.byOthers == [])
  }
}
