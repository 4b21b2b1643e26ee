import Foundation
import TestTraits
import Testing

@testable import HoldfastSession

@Suite(.computing) struct RandomSessionTests {
  private static let lives = LongTests.count(100, long: 2000)

  /// `SEED=7` repeats one life.
  @Test func `whatever happens, the rules hold`() {
    let seed = ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) }
    for number in seed.map({ $0...$0 }) ?? 0...UInt64(Self.lives) {
      var life = RandomSession(seed: number)
      life.run(steps: 250)
      if let failure = life.failure {
        Issue.record("SEED=\(number): \(failure)")
        return
      }
    }
  }

  @Test func `the same seed is the same life`() {
    var (first, second) = (RandomSession(seed: 5), RandomSession(seed: 5))
    first.run(steps: 500)
    second.run(steps: 500)
    #expect(first.path == second.path && first.session == second.session && first.path.count > 400)
  }
}
