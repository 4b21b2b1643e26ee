import HoldfastMediaModel
import TestRandomness

@testable import HoldfastLifecycle

/// A life with outputs in which anything may happen, drawn from a seed.
struct RandomLife {
  private(set) var path: [String] = []
  private(set) var failure: String?
  private var story: BroadcastStory
  private var choice: SplitMix64
  private let outputs = 2

  init(seed: UInt64) {
    choice = SplitMix64(seed: seed)
    var settings = Lifecycle.Settings.gate(
      Bool.random(using: &choice), passesOnTimeout: Bool.random(using: &choice),
      onResume: Bool.random(using: &choice))
    // Also shorter than a pause may take.
    settings.resumeWindow = .milliseconds(Int64.random(in: 500...20_000, using: &choice))
    story = BroadcastStory(settings, outputs: outputs, keepsHistory: false, seed: seed)
  }

  /// Returns how many steps it took until the end, including those of the final stop.
  mutating func run(steps: Int) -> Int {
    for step in 0..<steps {
      take()
      if let problem = problem { return fail(problem, step) }
      if case .ended = story.state { return step + 1 }
    }
    story.handle(.command(.stop))
    while story.life.closing != nil {
      if Bool.random(using: &choice) { story.deliverAll() }
      if let answer = story.life.answers.randomElement(using: &choice), Bool.random(using: &choice) {
        answerIfDone(answer)
      } else {
        story.fireTimer()
      }
    }
    story.deliverAll()
    if let problem = problem { return fail(problem, steps) }
    guard case .ended = story.state else { return fail("a stop does not end it", steps) }
    if story.outputs.contains(where: { $0.isOpen || !$0.timers.isEmpty }) {
      return fail("an output is left open", steps)
    }
    return steps
  }

  private var problem: String? { story.hasProblems ? story.allProblems.first : nil }

  private mutating func fail(_ problem: String, _ step: Int) -> Int {
    failure = "\(problem), in step \(step): \(path.suffix(40).joined(separator: " "))"
    return step
  }

  private mutating func take() {
    story.pass(.milliseconds(Int64.random(in: 0...400, using: &choice)))
    let output = Int.random(in: 0..<outputs, using: &choice)
    switch Int.random(in: 0..<16, using: &choice) {
    case 0...3: if let answer = story.life.answers.randomElement(using: &choice) { answerIfDone(answer) }
    case 4:
      path.append("timer")
      story.fireTimer()
    case 5...7:
      path.append("\(output):deliver")
      story.deliver(output: output)
    case 8...11: happen(to: output)
    case 12:
      path.append("\(output):timer")
      story.fireTimer(output: output)
    default: happen()
    }
  }

  /// An output that has not heard of it is neither paused nor closed.
  private mutating func answerIfDone(_ answer: Lifecycle.Event) {
    switch answer {
    case .paused, .closed: if !story.hasDelivered { return }
    default: break
    }
    path.append("\(answer)")
    story.handle(answer)
  }

  private mutating func happen() {
    // A stop is the end of a walk: it is rare.
    let events = Lifecycle.Event.outside + Lifecycle.Event.sleep
    let event = events.randomElement(using: &choice) ?? .failed
    let isEnd = [.command(.stop), .command(.end), .sourcesEnded, .failed].contains(event)
    if isEnd, Int.random(in: 0..<20, using: &choice) > 0 { return }
    path.append("\(event)")
    story.handle(event)
  }

  private mutating func happen(to output: Int) {
    guard let event = Self.outputEvents.randomElement(using: &choice) else { return }
    path.append("\(output):\(event)")
    story.handle(event, output: output)
  }

  private static let outputEvents: [OutputLifecycle.Event] =
    [
      .prepared, .accepted, .accepted, .proven, .proven, .progressed, .stalled, .recovered, .networkChanged,
      .addressChanged,
    ]
    + [OutputFailure.closed, .nameTaken, .refused, .closedBeforeAccepted, .moved].map { .failed($0) }
}
