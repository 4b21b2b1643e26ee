import Foundation
package import Testing

/// How much of what takes long, and finds little more, runs: `LONG_TESTS=yes` for all of it, or a part from 0 to 9.
package enum LongTests {
  /// The suites that do more, in parts of about equal length. The Makefile reads this list, one part in a line.
  private static let parts = [
    ["HostileSourceTests", "FaultRunTests"],
    ["PublishingFaultTests"],
    ["WeakNetworkTests"],
    ["LiveTests", "GridTests"],
    ["SchemathesisTests"],
    ["LocalServerHabitTests"],
    ["SimulationTests", "RandomBoxTests"],
    ["SessionSimulationTests", "LifecycleWalkTests"],
    ["RandomSessionTests", "SpeechTests", "FarTileTests", "FarClockTests"],
    ["RepairTests", "FragmentedFileTests", "GrowingFileTests"],
  ]

  private static let choice = ProcessInfo.processInfo.environment["LONG_TESTS"]

  /// How many random lives are tried, or how far apart cuts are, for example.
  package static func count(_ short: Int, long: Int, in file: String = #fileID) -> Int {
    run(in: file) ? long : short
  }

  /// Whether those of a file run.
  package static func run(in file: String = #fileID) -> Bool {
    let suite = file.split(separator: "/").last?.dropLast(".swift".count)
    guard let part = parts.firstIndex(where: { $0.contains { $0[...] == suite } }) else {
      preconditionFailure("\(file) is in no part of the long tests")
    }
    return choice == "yes" || choice.flatMap { Int($0) } == part
  }
}

extension Trait where Self == ConditionTrait {
  package static func long(_ file: String = #fileID) -> Self {
    .enabled(if: LongTests.run(in: file), "make test-long runs it")
  }
}
