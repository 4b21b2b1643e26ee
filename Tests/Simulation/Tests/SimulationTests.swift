import Foundation
import TestTraits
import TestVirtualTime
import Testing

@testable import Simulation

@Suite(.computing) struct SimulationTests {
  /// Two halves for two cores; `SIMULATED_DAYS` sets their size.
  private static let halves: [Range<UInt64>] = {
    let days =
      ProcessInfo.processInfo.environment["SIMULATED_DAYS"].flatMap(UInt64.init)
      ?? UInt64(LongTests.count(24, long: 500))
    return [0..<(days / 2), (days / 2)..<days]
  }()

  @Test(arguments: halves)
  func `each broadcast of a simulated day has one recording, with all losses reported`(seeds: Range<UInt64>) {
    var figures = Day.Figures()
    for seed in seeds {
      let day = Day(seed: seed)
      day.run()
      guard day.problems.isEmpty else {
        Issue.record("\(Day.story(ofSeed: seed))")
        return
      }
      figures.add(day)
    }
    // A day has crashes, resumptions and interruptions.
    #expect(figures.broadcasts > 5 * seeds.count)
    #expect(figures.crashes > 2 * seeds.count)
    #expect(figures.resumed > seeds.count)
    #expect(figures.stretches > figures.broadcasts)
    #expect(figures.onAir > .hours(5 * Int64(seeds.count)))
  }

  @Test func `a seed determines the simulated day`() {
    let days = [Day(seed: 7, isLogged: true), Day(seed: 7, isLogged: true)]
    for day in days { day.run() }
    #expect(days[0].log.count > 1000)
    #expect(days[0].log == days[1].log)
  }
}
