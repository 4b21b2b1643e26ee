import HoldfastMediaModel

@testable import HoldfastLifecycle

/// All the lives that there can be from a beginning on, each state of them once.
///
/// Time does not pass, and timers fire in any order: more sequences than there can be in reality.
struct LifecycleWalk {
  private struct Step {
    let story: LifecycleStory
    let origin: Int
    let event: Lifecycle.Event?
  }

  private var steps: [Step]
  private var known: Set<LifecycleShape>

  init(_ beginning: LifecycleStory) {
    steps = [Step(story: beginning, origin: 0, event: nil)]
    known = [LifecycleShape(beginning)]
  }

  var count: Int { steps.count }

  /// What does not hold, and the events that lead there.
  mutating func firstFailure() -> String? {
    var next = 0
    while next < steps.count {
      let story = steps[next].story
      if let problem = problem(of: story) { return "\(problem) after \(path(to: next))" }
      for event in Lifecycle.Event.outside + Lifecycle.Event.stale + story.answers + story.timerEvents {
        var changed = story
        let actions = changed.handle(event)
        if Lifecycle.Event.stale.contains(event), !actions.isEmpty || changed != story {
          return "\(event) is not stale after \(path(to: next))"
        }
        if known.insert(LifecycleShape(changed)).inserted {
          steps.append(Step(story: changed, origin: next, event: event))
        }
      }
      next += 1
    }
    return nil
  }

  private func problem(of story: LifecycleStory) -> String? {
    story.problems.first ?? problem(ofStopping: story) {
      $0.answers.first { !$0.isBad } ?? $0.timerEvents.first
    }
      ?? problem(ofStopping: story) { $0.timerEvents.first }
  }

  /// A stop leads to the end, with a world that does what `reaction` says.
  private func problem(
    ofStopping story: LifecycleStory, reaction: (LifecycleStory) -> Lifecycle.Event?
  ) -> String? {
    var story = story
    story.handle(.command(.stop))
    for _ in 0..<10 {
      if case .ended = story.state { return story.problems.first }
      guard let event = reaction(story) else { break }
      story.handle(event)
    }
    return "a stop does not end it"
  }

  private func path(to step: Int) -> [Lifecycle.Event] {
    guard let event = steps[step].event else { return [] }
    return path(to: steps[step].origin) + [event]
  }
}

extension LifecycleStory {
  var timerEvents: [Lifecycle.Event] { timers.keys.sorted().map { .timerFired($0) } }
}
