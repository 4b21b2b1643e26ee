import HoldfastMediaModel
import Testing

@testable import HoldfastSession

@Suite struct StageTests {
  private var story: SessionStory = {
    var story = SessionStory.hosted
    for name in ["Left", "Right", "Door"] { story.join(name) }
    return story
  }()

  private func shown(_ story: SessionStory) -> [String?] {
    (story.session.meeting?.stage[.four].shown ?? []).map { id in story.ids.first { $0.value == id }?.key }
  }

  @Test func `boxes are on the stage, and who has nothing to show is not`() {
    #expect(shown(story) == ["Left", "Right", "Door"])
  }

  @Test func `all see who speaks, and the stage that follows`() {
    var story = story
    let events = story.session.speak(story.id("Right"), at: story.now)
    #expect(events.map(\.name) == ["speaker", "stage"])
    #expect(story.session.meeting?.speaker?.id == story.id("Right"))
    #expect(story.session.meeting?.stage[.one].shown == [story.id("Right")])
    #expect(shown(story) == ["Left", "Right", "Door"])
  }

  @Test func `a speaker is kept for two seconds`() {
    var story = story
    _ = story.session.speak(story.id("Right"), at: story.now)
    #expect(story.session.speak(story.id("Left"), at: story.now + .milliseconds(1999)).isEmpty)
    #expect(!story.session.speak(story.id("Left"), at: story.now + .seconds(2)).isEmpty)
  }

  @Test func `who speaks already, is muted or away is no new speaker`() {
    var story = story
    _ = story.session.speak(story.id("Right"), at: story.now)
    story.apply(.mute(story.id("Left"), [.audio]), by: "Anna")
    story.apply(.leave, by: "Door")
    story.now = story.now + .seconds(3)
    for name in ["Right", "Left", "Door", "Nobody"] {
      #expect(story.session.speak(story.id(name), at: story.now).isEmpty)
    }
  }

  @Test func `a speaker that is muted or leaves is none any more`() {
    var story = story
    _ = story.session.speak(story.id("Right"), at: story.now)
    let muted = story.apply(.mute(story.id("Right"), [.audio]), by: "Anna").events
    #expect(muted?.map(\.name) == ["muted", "speaker"])
    #expect(story.session.meeting?.speaker == nil)
    // It need not wait for who is no speaker.
    #expect(!story.session.speak(story.id("Left"), at: story.now).isEmpty)
    #expect(story.apply(.leave, by: "Left").events?.map(\.name).contains("speaker") == true)
  }

  @Test func `who comes back finds its place`() {
    var story = story
    story.apply(.leave, by: "Right")
    #expect(shown(story) == ["Left", nil, "Door"])
    story.rejoin("Right")
    #expect(shown(story) == ["Left", "Right", "Door"])
  }
}
