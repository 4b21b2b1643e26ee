import Foundation
package import Testing

/// How much of what takes long, and finds little more, runs: `LONG_TESTS=yes` for all of it, or a part from 0 to 9.
package enum LongTests {
  private static let choice = ProcessInfo.processInfo.environment["LONG_TESTS"]

  /// How many random lives are tried, or how far apart cuts are, for example.
  package static func count(_ short: Int, long: Int, in file: String = #fileID) -> Int {
    run(in: file) ? long : short
  }

  /// Whether those of a file run.
  package static func run(in file: String = #fileID) -> Bool {
    guard let choice else { return false }
    return choice == "yes" || Int(choice) == file.utf8.reduce(0) { ($0 * 31 + Int($1)) % 1_000_003 } % 10
  }
}

extension Trait where Self == ConditionTrait {
  package static func long(_ file: String = #fileID) -> Self {
    .enabled(if: LongTests.run(in: file), "make test-long runs it")
  }
}
