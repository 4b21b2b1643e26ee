import HoldfastMediaModel
import TestTraits
import Testing

@testable import HoldfastLifecycle

@Suite(.computing) struct LifecycleWalkTests {
  /// All sequences of events, of any length: when two of them lead to the same state, one is followed.
  @Test(arguments: Gate.allCases)
  func `every lifecycle keeps the invariants, and ends when it is stopped`(gate: Gate) {
    var walk = LifecycleWalk(LifecycleStory(gate.settings))
    #expect(walk.firstFailure() == nil)
    #expect(walk.count > 1000)
  }

  @Test func `the lifecycle's shape covers every property of the machine`() {
    #expect(Mirror(reflecting: Lifecycle()).children.count == LifecycleShape.propertyCount)
  }

  @Test func `long random lifecycles with two outputs keep the invariants, and a stop ends each`() {
    let steps = LongTests.count(50_000, long: 5_000_000)
    var seeds = SystemRandomNumberGenerator()
    var walked = 0
    while walked < steps {
      let seed = seeds.next()
      var life = RandomLife(seed: seed)
      walked += life.run(steps: 300)
      if let failure = life.failure {
        Issue.record("RandomLife(seed: \(seed)): \(failure)")
        return
      }
    }
  }

  /// Add the seed that a failure has printed to reproduce it.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func `a random lifecycle is reproduced from its seed`(seed: UInt64) {
    var first = RandomLife(seed: seed)
    var second = RandomLife(seed: seed)
    _ = first.run(steps: 1000)
    _ = second.run(steps: 1000)
    #expect(first.path == second.path)
    #expect(first.failure == nil)
  }

  enum Gate: CaseIterable {
    case none, passesSilently, refusesSilently, passesAgain, refusesAgain

    var settings: Lifecycle.Settings {
      .gate(
        self != .none, passesOnTimeout: self == .passesSilently || self == .passesAgain,
        onResume: self == .passesAgain || self == .refusesAgain)
    }
  }
}

extension Lifecycle.Event {
  /// What may come from outside at any time.
  static let outside: [Self] = [
    .previewRequested, .command(.start), .resumeAfterCrashRequested(windowLeft: .seconds(120)),
    .resumeAfterCrashRequested(windowLeft: .seconds(120), isOffAir: true),
    .offAirRequested(.interrupted, windowLeft: .seconds(120)), .offAirRequested(.interrupted),
    .offAirRequested(.backgrounded), .command(.end), .command(.stop), .command(.interrupt), .command(.resume),
    .interruptionBegan(.device), .interruptionEnded(.device), .interruptionBegan(.system),
    .interruptionEnded(.system), .command(.background), .command(.foreground), .maxDurationReached,
    .sessionExpired, .sharedSessionOver, .sourcesEnded, .failed,
  ]

  /// A sleep multiplies the states, and does nothing that the background doesn't.
  static let sleep: [Self] = [.sleepBegan, .sleepEnded]

  /// Answers that nobody awaits any longer.
  static let stale: [Self] = [
    .devicesOpened(0), .devicesFailed(0), .prepared(0), .gateBegan(0), .gatePassed(0), .nothingBegun(0),
    .gateRefused(0), .paused(0), .closed(0), .timerFired(0),
  ]
}
