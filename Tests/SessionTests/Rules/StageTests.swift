import HoldfastMediaModel
import Testing

@testable import HoldfastSession

@Suite final class StageTests {
  private var story = SessionStory.hosted("Left", "Right", "Door")

  private func shown() -> [String?] {
    (story.session.meeting?.stage[.four].shown.places ?? []).map { id in
      story.ids.first { $0.value == id }?.key
    }
  }

  private func speak(_ name: String) -> [Session.Event] {
    let loud = Session.SpeechScores(immediate: 4.8, medium: 113, long: 300, loudness: -20)
    guard let lease = story.leases[name] else { return [] }
    return story.session.chooseSpeaker(by: [lease: loud], at: story.now)
  }

  @Test func `boxes are on the stage, and who has nothing to show is not`() {
    #expect(shown() == ["Left", "Right", "Door"])
  }

  @Test func `all see who speaks, and the stage that follows`() {
    let events = speak("Right")
    #expect(events.map(\.name) == ["speaker", "stage"])
    #expect(story.session.meeting?.speaker?.id == story.id("Right"))
    #expect(story.session.meeting?.stage[.one].shown.places == [story.id("Right")])
    #expect(shown() == ["Left", "Right", "Door"])
  }

  @Test func `a speaker is kept for two seconds`() {
    _ = speak("Right")
    story.now = story.now + .milliseconds(1999)
    #expect(speak("Left").isEmpty)
    story.now = story.now + .milliseconds(1)
    #expect(!speak("Left").isEmpty)
  }

  @Test func `who speaks already, is muted or away is no new speaker`() {
    _ = speak("Right")
    story.apply(.mute(story.id("Left"), [.audio]), by: "Anna")
    story.apply(.leave, by: "Door")
    story.now = story.now + .seconds(3)
    for name in ["Right", "Left", "Door", "Nobody"] { #expect(speak(name).isEmpty) }
  }

  @Test func `a speaker that is muted or leaves is none any more`() {
    _ = speak("Right")
    let muted = story.apply(.mute(story.id("Right"), [.audio]), by: "Anna").events
    #expect(muted?.map(\.name) == ["muted", "speaker"])
    #expect(story.session.meeting?.speaker == nil)
    // It need not wait for who is no speaker.
    #expect(!speak("Left").isEmpty)
    #expect(story.apply(.leave, by: "Left").events?.map(\.name).contains("speaker") == true)
  }

  @Test func `a box without a camera waits for those that have one, and one without sound never speaks`() {
    for name in ["Window", "Late", "Radio"] { story.join(name) }
    var report = Session.Member.Report(lacking: [.video])
    let id = story.id("Radio")
    #expect(story.apply(.report(report), by: "Radio").events == [.reported(id, .lacking([.video]))])
    story.apply(.leave, by: "Left")
    #expect(shown() == ["Late", "Right", "Door", "Window"])
    report.lacking = [.audio]
    story.apply(.report(report), by: "Radio")
    #expect(speak("Radio").isEmpty)
  }

  @Test func `a small stream is in the state and the events for as long as it is live`() {
    let id = story.id("Left")
    func isInState() -> Bool {
      let members = story.session.state(version: "1", at: story.now).field("members")?.elements ?? []
      return members.first { $0.field("id") == .text(id.text) }?.field("small") == .bool(true)
    }
    #expect(!isInState())
    let report = Session.Member.Report(givesSmall: true)
    #expect(story.apply(.report(report), by: "Left").events == [.reported(id, .givesSmall(true))])
    #expect(isInState())
    #expect(story.apply(.report(report), by: "Left").events == [])
    let without = Session.Member.Report()
    #expect(story.apply(.report(without), by: "Left").events == [.reported(id, .givesSmall(false))])
    #expect(!isInState())
  }

  @Test func `who comes back finds its place`() {
    story.apply(.leave, by: "Right")
    #expect(shown() == ["Left", nil, "Door"])
    story.rejoin("Right")
    #expect(shown() == ["Left", "Right", "Door"])
  }
}
