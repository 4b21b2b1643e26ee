import HoldfastMediaModel
import Testing

@testable import HoldfastLifecycle

@Suite struct OutputPauseTests {
  @Test func `a pause closes the connection, and a resume continues the recording`() {
    var story = OutputStory(after: [.startRequested, .accepted, .proven])
    #expect(story.handle(.pauseRequested) == [.close, .report(.init(.closed))])
    #expect(story.handle(.resumeRequested) == [.report(.init(.connecting)), .open(.append)])
  }

  @Test func `a connection that is not proven closes in order too, and its end may prove it`() {
    var story = OutputStory(after: [.startRequested, .accepted])
    #expect(story.handle(.pauseRequested) == [.close, .report(.init(.closed))])
    var unproven = story
    #expect(unproven.handle(.resumeRequested).last == .open(.record))
    #expect(story.handle(.proven) == [.report(.init(.publishing))] && story.handle(.proven).isEmpty)
    #expect(story.handle(.resumeRequested).last == .open(.append))
  }

  @Test(
    arguments: [[.startRequested], [.startRequested, .accepted, .proven, .stalled]]
      as [[OutputLifecycle.Event]])
  func `a pause drops a connection that cannot be closed properly`(events: [OutputLifecycle.Event]) {
    var story = OutputStory(after: events)
    #expect(story.handle(.pauseRequested) == [.drop, .report(.init(.closed))])
  }

  @Test(
    arguments: [
      [.startRequested, .failed(.unreachable)],
      [
        .startRequested, .failed(.closedBeforeAccepted), .timerFired(1), .failed(.closedBeforeAccepted),
        .timerFired(2), .failed(.closedBeforeAccepted),
      ],
    ] as [[OutputLifecycle.Event]])
  func `a waiting output does not retry during a pause, and connects at once after it`(
    events: [OutputLifecycle.Event]
  ) {
    var story = OutputStory(after: events)
    let pause = story.handle(.pauseRequested)
    guard case .cancelTimer = pause.first else { Issue.record("\(pause)"); return }
    #expect(story.handle(.networkChanged).isEmpty)
    #expect(story.handle(.resumeRequested).last == .open(.record))
  }

  @Test func `an output that is refused for good stays refused after a pause`() {
    var story = OutputStory(after: [.startRequested, .failed(.refused)])
    #expect(story.handle(.pauseRequested).isEmpty)
    #expect(story.handle(.resumeRequested).isEmpty)
  }

  @Test func `an output started during a pause connects on resume`() {
    var story = OutputStory(after: [.pauseRequested, .startRequested])
    #expect(story.publishTypes.isEmpty)
    story.handle(.resumeRequested)
    #expect(story.publishTypes == [.record])
  }

  @Test func `a recording that another process began is continued`() {
    var story = OutputStory(hasPublished: true)
    story.handle(.pauseRequested, .resumeRequested)
    #expect(story.publishTypes == [.append])
  }

  @Test func `a pause does not count as an outage of the output`() {
    var story = OutputStory(giveUpAfter: .seconds(10))
    story.handle(.startRequested, .accepted, .proven, .pauseRequested)
    story.now = story.now + .seconds(60)
    story.handle(.resumeRequested, .failed(.unreachable))
    #expect(story.condition?.state == .waiting)
  }

  @Test func `a stop ends an output's pause`() {
    var story = OutputStory(after: [.startRequested, .accepted, .pauseRequested, .stopRequested])
    #expect(story.handle(.resumeRequested).isEmpty)
    #expect(story.machine.state == .closed)
  }
}
