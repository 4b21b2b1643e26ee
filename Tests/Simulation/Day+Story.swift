extension Day {
  /// The last things that happened before a day went wrong, and how to see all of them.
  package static func story(ofSeed seed: UInt64) -> String {
    let day = Day(seed: seed, isLogged: true)
    day.run()
    let problem = day.log.firstIndex { $0.contains("PROBLEM") } ?? day.log.count
    let last = day.log[..<problem].suffix(30) + day.problems.prefix(3)
    return "make simulate SEED=\(seed) DAYS=1\n" + last.joined(separator: "\n")
  }
}

extension Day.Figures {
  package mutating func add(_ other: Self) {
    broadcasts += other.broadcasts
    stretches += other.stretches
    resumed += other.resumed
    crashes += other.crashes
    events += other.events
    forgotten += other.forgotten
    onAir += other.onAir
  }
}

extension Day.Figures: CustomStringConvertible {
  package var description: String {
    """
    \(broadcasts) broadcasts, live \(stretches) times and \(onAir.shown) in all, \(crashes) cut short, \
    \(resumed) taken up, \(events) events; \(forgotten.shown) of what outputs lacked was not known yet when a process \
    came to a sudden end
    """
  }
}
