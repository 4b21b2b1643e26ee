import Simulation

/// Simulates days. A single day is logged in full, otherwise only failed days are.
enum Simulate {
  static func run(_ arguments: Arguments) throws -> Bool {
    let first = UInt64(try arguments.number(0, default: 0, from: 0))
    let days = UInt64(try arguments.number(1, default: 1))
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
    return bad.isEmpty
  }
}
