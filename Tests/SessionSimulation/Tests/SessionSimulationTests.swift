import SessionSimulation
import TestTraits
import TestVirtualTime
import Testing

@Suite(.computing) struct SessionSimulationTests {
  private static let halves: [Range<UInt64>] = {
    let runs = UInt64(LongTests.count(4, long: 40))
    return [0..<(runs / 2), (runs / 2)..<runs]
  }()

  @Test(arguments: halves)
  func `whatever fails, no session and no recording is lost, and all meets again`(
    seeds: Range<UInt64>
  ) throws {
    for seed in seeds {
      let run = try SessionRun(seed: seed)
      run.run()
      guard run.problem == nil else {
        Issue.record("\(run.story)")
        return
      }
    }
  }

  @Test func `a number determines the run`() throws {
    let runs = [try SessionRun(seed: 7), try SessionRun(seed: 7)]
    for run in runs { run.run() }
    #expect(runs[0].figures == runs[1].figures)
    #expect(runs[0].story == runs[1].story)
  }

  @Test func `runs contain everything that can go wrong`() throws {
    var figures = SessionRun.Figures()
    for seed in 106..<112 as Range<UInt64> {
      let run = try SessionRun(seed: seed)
      run.run()
      #expect(run.problem == nil)
      figures.add(run.figures)
    }
    #expect(figures.failovers >= 3)
    #expect(figures.expiries > 10)
    #expect(figures.silences > 20)
    #expect(figures.hostChanges > 0)
    #expect(figures.superseded > 0)
    #expect(figures.endings > 0)
  }
}
