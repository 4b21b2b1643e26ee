import HoldfastMediaModel
import Testing

@testable import HoldfastLifecycle

/// The feature specification's scenarios, run on the state machines without a device or a server.
@Suite struct ScenarioTests {
  /// Given I have started a broadcast.
  private func started() -> BroadcastStory {
    var story = connecting(.accepted)
    story.settle()
    story.handle(.proven, output: 0)
    story.pass(.seconds(10))
    return story
  }

  /// The output was asked to connect; `hindrance` says what came of it.
  private func connecting(_ hindrance: Hindrance = .connecting) -> BroadcastStory {
    var story = BroadcastStory(.gate(hindrance == .gate))
    story.handle(.command(.start))
    story.answer()
    story.deliverAll()
    hindrance.come(to: &story)
    return story
  }

  @Test func `given a broadcast, when I receive an interrupt, then my recording is paused`() {
    var story = started()
    story.settle(after: .command(.interrupt))
    #expect(story.state == .interrupted(.user, resumableUntil: story.now + .seconds(120)))
    #expect(story.recordings == [.init(broadcast: 1, state: .paused, length: .seconds(10))])
    #expect(story.outputs[0].isOpen == false)
    #expect(story.allProblems.isEmpty)
  }

  @Test func `given an interrupt, when I return, then my recording is resumed where it was interrupted`() {
    var story = started()
    story.settle(after: .command(.interrupt))
    story.pass(.seconds(30))
    story.settle(after: .command(.resume))
    story.pass(.seconds(5))
    story.handle(.command(.stop))
    #expect(story.publishes == [.init(broadcast: 1, type: .record), .init(broadcast: 1, type: .append)])
    #expect(story.recordings == [.init(broadcast: 1, state: .finished, length: .seconds(15))])
    #expect(story.allProblems.isEmpty)
  }

  @Test
  func `given an interrupt, when I enter the background and come back, then a new broadcast is started`() {
    var story = started()
    story.settle(after: .command(.interrupt), .command(.background))
    #expect(story.state == .backgrounded)
    story.pass(.seconds(5))
    story.settle(after: .command(.foreground))
    #expect(story.state == .live)
    #expect(story.publishes == [.init(broadcast: 1, type: .record), .init(broadcast: 2, type: .record)])
    #expect(story.recordings.map(\.state) == [.finished, .written])
    #expect(story.allProblems.isEmpty)
  }

  @Test func `the background ends an uninterrupted broadcast, and a return starts a new one`() {
    var story = started()
    story.settle(after: .command(.background))
    #expect(story.life.machine.isAtRest)
    story.settle(after: .command(.foreground))
    #expect(story.publishes.map(\.type) == [.record, .record])
    #expect(story.recordings.map(\.broadcast) == [1, 2])
  }

  @Test func `a return without an interrupt changes nothing`() {
    var story = started()
    let before = story.life
    story.handle(.command(.resume))
    story.handle(.command(.foreground))
    #expect(story.life == before)
  }

  @Test func `an interrupt while previewing leaves nothing to resume`() {
    var story = BroadcastStory()
    story.settle(after: .previewRequested)
    story.handle(.command(.interrupt))
    story.settle(after: .command(.resume))
    #expect(story.state == .previewing)
    #expect(story.publishes.isEmpty && story.recordings.isEmpty)
  }

  @Test func `a nested interrupt keeps the window, and the broadcast resumes when both have ended`() {
    var story = started()
    let until = story.now + .seconds(120)
    story.settle(after: .command(.interrupt))
    story.pass(.seconds(20))
    story.handle(.interruptionBegan(.device))
    #expect(story.state == .interrupted(.device, resumableUntil: until))
    story.handle(.command(.resume))
    #expect(story.state == .interrupted(.device, resumableUntil: until))
    story.handle(.interruptionEnded(.device))
    #expect(story.state == .live)
  }

  @Test func `the end of the newest interrupt makes the older one current again`() {
    var story = started()
    let until = story.now + .seconds(120)
    story.handle(.command(.interrupt))
    story.handle(.interruptionBegan(.device))
    story.settle(after: .interruptionEnded(.device))
    #expect(story.state == .interrupted(.user, resumableUntil: until))
  }

  @Test func `an interrupt that ends in the background does not resume the broadcast`() {
    var story = started()
    story.handle(.interruptionBegan(.device))
    story.handle(.command(.background))
    story.settle(after: .interruptionEnded(.device))
    #expect(story.state == .backgrounded)
    #expect(story.publishes.map(\.type) == [.record])
  }

  @Test func `a return from the background leads back to the preview`() {
    var story = BroadcastStory()
    story.settle(after: .previewRequested)
    story.handle(.command(.background))
    #expect(story.state == .backgrounded && story.life.devices == .closed)
    story.settle(after: .command(.foreground))
    #expect(story.state == .previewing && story.life.devices == .open)
  }

  @Test func `the broadcast ends when the window closes, and a resume starts a new one`() {
    var story = started()
    story.settle(after: .command(.interrupt))
    story.fireTimer()
    story.settle()
    #expect(story.state == .backgrounded && story.recordings.map(\.state) == [.finished])
    story.settle(after: .command(.resume))
    #expect(story.state == .live)
    #expect(story.publishes.map(\.type) == [.record, .record])
  }

  @Test(arguments: Hindrance.allCases)
  func `an interrupted start leaves no recording, and a return starts a new broadcast`(hindrance: Hindrance) {
    var story = connecting(hindrance)
    story.handle(.command(.interrupt))
    #expect(story.state == .interrupted(.user, resumableUntil: story.now + .seconds(120)))
    story.settle()
    #expect(story.recordings.isEmpty && story.outputs[0].isOpen == false)
    story.settle(after: .command(.resume))
    story.handle(.prepared, output: 0)
    #expect(story.state == .live)
    #expect(story.publishes.last == .init(broadcast: 2, type: .record))
    #expect(story.allProblems.isEmpty)
  }

  @Test(arguments: Hindrance.allCases)
  func `a start that goes to the background begins a new broadcast on return`(hindrance: Hindrance) {
    var story = connecting(hindrance)
    story.settle(after: .command(.background))
    #expect(story.state == .backgrounded && story.life.machine.isAtRest)
    story.settle(after: .command(.foreground))
    story.handle(.prepared, output: 0)
    #expect(story.publishes.last == .init(broadcast: 2, type: .record))
    #expect(story.allProblems.isEmpty)
  }

  @Test(arguments: Hindrance.allCases)
  func `a return without an interrupt while starting changes nothing`(hindrance: Hindrance) {
    var story = connecting(hindrance)
    let before = story.life
    story.handle(.command(.resume))
    story.handle(.command(.foreground))
    #expect(story.life == before)
  }

  @Test(arguments: [OutputFailure.closed, .unreachable, .nameTaken])
  func `an output that waits during an interrupt appends at once on return`(failure: OutputFailure) {
    var story = started()
    story.handle(.failed(failure), output: 0)
    story.settle(after: .command(.interrupt))
    #expect(story.outputs[0].timers.isEmpty)
    story.pass(.seconds(60))
    story.settle(after: .command(.resume))
    #expect(story.publishes.map(\.type) == [.record, .append])
    #expect(story.allProblems.isEmpty)
  }

  @Test func `a return does not retry an output that is refused for good`() {
    var story = connecting(.refused)
    story.settle()
    story.settle(after: .command(.interrupt), .command(.resume))
    #expect(story.state == .live)
    #expect(story.publishes.map(\.type) == [.record])
  }

  @Test func `a broadcast left by a crash is resumed`() {
    var story = BroadcastStory()
    story.handle(.resumeAfterCrashRequested(windowLeft: .seconds(80)))
    #expect(story.state == .interrupted(.crash, resumableUntil: story.now + .seconds(80)))
    story.settle()
    #expect(story.state == .live)
    #expect(story.publishes == [.init(broadcast: 1, type: .append)])
    #expect(story.allProblems.isEmpty)
  }

  @Test func `the publish type live is kept across an interrupt and the background`() {
    var story = BroadcastStory(publishType: .live)
    story.settle(after: .command(.start))
    story.settle(after: .command(.interrupt), .command(.resume), .command(.background), .command(.foreground))
    #expect(story.publishes.map(\.type) == [.live, .live, .live])
  }
}

/// What a start may be waiting for when something interrupts it.
enum Hindrance: CaseIterable {
  case connecting, accepted, waiting, refused, gate

  func come(to story: inout BroadcastStory) {
    switch self {
    case .connecting: break
    case .accepted: story.handle(.accepted, output: 0)
    case .waiting: story.handle(.failed(.unreachable), output: 0)
    case .refused: story.handle(.failed(.refused), output: 0)
    case .gate:
      story.handle(.accepted, output: 0)
      story.answer()
    }
  }
}
