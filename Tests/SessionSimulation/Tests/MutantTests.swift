import SessionSimulation
import TestTraits
import TestVirtualTime
import Testing

/// The simulation of sessions has to notice faults that are put in by hand.
@Suite(.computing) struct MutantTests {
  private static let maxRuns: UInt64 = 30

  @Test(arguments: Mutation.allCases)
  func `a fault put in by hand is noticed`(mutation: Mutation) throws {
    for seed in 0..<Self.maxRuns {
      var settings = SessionRun.Settings()
      settings.faultEvery = .s(3)
      let run = try SessionRun(seed: seed, settings, mutation: mutation)
      run.run()
      if run.problem != nil { return }
    }
    Issue.record("\(mutation.rawValue): not noticed in \(Self.maxRuns) runs")
  }
}
