import HoldfastMediaModel
import Testing

@testable import HoldfastLifecycle

/// A gate that is also asked before a resume.
@Suite struct GateOnResumeTests {
  private func returning(passesOnTimeout: Bool = true) -> LifecycleStory {
    var story = LifecycleStory(.gate(passesOnTimeout: passesOnTimeout, onResume: true))
    story.handle(.command(.start))
    while story.state != .live, let answer = story.answers.first { story.handle(answer) }
    story.handle(.command(.interrupt))
    for answer in story.answers { story.handle(answer) }
    story.handle(.command(.resume))
    if let gate = story.gate { story.handle(.gateBegan(gate)) }
    return story
  }

  @Test func `the broadcast stays interrupted until the gate lets it resume`() throws {
    var story = returning()
    guard case .interrupted = story.state else { Issue.record("\(story.state)"); return }
    let actions = story.handle(.gatePassed(try #require(story.gate)))
    #expect(actions.contains(.resume) && story.state == .live)
  }

  @Test func `a gate that refuses a resume ends the broadcast`() throws {
    var story = returning()
    story.handle(.gateRefused(try #require(story.gate)))
    #expect(story.state == .ending)
  }

  @Test(arguments: [true, false])
  func `a silent gate resumes or ends the broadcast, as configured`(passes: Bool) throws {
    var story = returning(passesOnTimeout: passes)
    let actions = story.handle(.timerFired(try #require(story.gate)))
    #expect(actions.contains(.cancelGate))
    #expect(story.state == (passes ? .live : .ending))
  }

  @Test func `another interruption cancels the gate, which is asked again when it ends`() throws {
    var story = returning()
    let first = try #require(story.gate)
    #expect(story.handle(.interruptionBegan(.system)).contains(.cancelGate))
    story.handle(.interruptionEnded(.system))
    #expect(try #require(story.gate) != first)
    #expect(story.handle(.gatePassed(first)).isEmpty)
  }

  @Test func `the resume window keeps running while the gate is asked`() {
    var story = returning()
    let window = story.machine.phase.interruption?.window ?? 0
    #expect(story.handle(.timerFired(window)).contains(.cancelGate))
    // Nothing interrupts it any longer: a new broadcast follows as soon as this one is closed.
    #expect(story.state == .starting)
  }
}
