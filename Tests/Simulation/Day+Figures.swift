import HoldfastMediaModel
import TestVirtualTime

extension Day {
  /// Totals over simulated days.
  package struct Figures: Hashable, Sendable {
    package private(set) var broadcasts = 0
    package private(set) var stretches = 0
    package private(set) var resumed = 0
    package private(set) var crashes = 0
    private var events = 0
    /// Unjournaled losses at process crashes.
    private var forgotten: Int64 = 0
    package private(set) var onAir: Int64 = 0

    package init() {}

    package mutating func add(_ day: Day) {
      broadcasts += day.truths.count(where: { !$0.stretches.isEmpty })
      resumed += day.supervisor.resumptions
      events += day.world.events
      for truth in day.truths {
        stretches += truth.stretches.count
        crashes += truth.crashes.count
        onAir += truth.onAir.total
        for endpoint in day.endpoints {
          forgotten += truth.forgotten[endpoint.id]?.intersection(truth.onAir).total ?? 0
        }
      }
    }
  }

  /// The last log lines before a failure of the day, and the command that shows all of them.
  package static func story(ofSeed seed: UInt64) -> String {
    let day = Day(seed: seed, isLogged: true)
    day.run()
    let problem = day.log.firstIndex { $0.contains("PROBLEM") } ?? day.log.count
    let last = day.log[..<problem].suffix(30) + day.problems.prefix(3)
    return "make simulate SEED=\(seed) DAYS=1\n" + last.joined(separator: "\n")
  }
}

extension Day.Figures: CustomStringConvertible {
  package var description: String {
    """
    \(broadcasts) broadcasts, live \(stretches) times and \(onAir.shown) in all, \(crashes) cut short, \
    \(resumed) resumed, \(events) events; \(forgotten.shown) of what outputs lacked was not known yet when a process \
    came to a sudden end
    """
  }
}
