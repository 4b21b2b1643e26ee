import TestRandomness
import TestVirtualTime

/// The event loop of a simulation in virtual time, with its log and the problems found.
final class World {
  private(set) var now: Int64 = 0
  var randomness: SplitMix64
  private var agenda = Agenda()
  private(set) var problems: [String] = []
  private(set) var log: [String] = []
  private let isLogged: Bool
  private(set) var events = 0

  /// The number of reported problems; further ones rarely add information.
  private static let maxProblems = 20

  init(seed: UInt64, isLogged: Bool) {
    randomness = SplitMix64(seed: seed)
    self.isLogged = isLogged
  }

  func after(_ delay: Int64, _ act: @escaping () -> Void) { agenda.add(at: now + max(0, delay), act) }

  func run(until end: Int64) {
    while problems.count < Self.maxProblems, let due = agenda.next, due <= end,
      let next = agenda.removeFirst()
    {
      now = max(now, next.at)
      events += 1
      next.act()
    }
    now = max(now, end)
  }

  /// Drops all pending actions, which retain the world.
  func end() { agenda.removeAll() }

  func note(_ text: @autoclosure () -> String) {
    guard isLogged else { return }
    // Removes module and type prefixes for readability.
    log.append("\(now.shown) \(text().replacing(/[A-Z][A-Za-z]+\.(?=[A-Za-z])/, with: ""))")
  }

  func expect(_ isTrue: Bool, _ claim: @autoclosure () -> String) {
    guard !isTrue, problems.count < Self.maxProblems else { return }
    problems.append("\(now.shown) \(claim())")
    note("PROBLEM \(problems.last ?? "")")
  }
}
