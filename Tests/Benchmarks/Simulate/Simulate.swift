import Foundation
import Simulation

/// `simulate [SEED [DAYS]]`: simulates days. A single day is logged in full, otherwise only failed days are.
@main enum Simulate {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
    let first = arguments.first ?? 0
    let days = arguments.dropFirst().first ?? 1
    var figures = Day.Figures()
    var bad: [UInt64] = []
    for seed in first..<(first + days) {
      let day = Day(seed: seed, isLogged: days == 1)
      day.run()
      figures.add(day)
      for line in day.log { print(line) }
      guard let problem = day.problems.first else { continue }
      bad.append(seed)
      print("seed \(seed): \(problem)")
    }
    print("\(days) days, \(bad.count) went wrong: \(figures)")
    if days > 1, let first = bad.first { print("make simulate SEED=\(first) DAYS=1") }
    exit(bad.isEmpty ? 0 : 1)
  }
}
