import HoldfastMediaModel
import TestRandomness

/// The event loop of a simulation in virtual time, with its log and the problems found.
final class World {
  private(set) var now: Int64 = 0
  var randomness: SplitMix64
  /// The pending actions, latest first.
  private var agenda: [(at: Int64, act: () -> Void)] = []
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

  func after(_ delay: Int64, _ act: @escaping () -> Void) {
    let at = now + max(0, delay)
    // Actions of the same instant run in the order of their scheduling.
    var (index, end) = (0, agenda.count)
    while index < end {
      let middle = (index + end) / 2
      if agenda[middle].at > at { index = middle + 1 } else { end = middle }
    }
    agenda.insert((at, act), at: index)
  }

  func run(until end: Int64) {
    while problems.count < Self.maxProblems, let next = agenda.last, next.at <= end {
      agenda.removeLast()
      now = max(now, next.at)
      events += 1
      next.act()
    }
    now = max(now, end)
  }

  /// Drops all pending actions, which retain the world.
  func end() { agenda = [] }

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

/// Times and durations of the world, independent of the clocks in it.
extension Int64 {
  static func ms(_ count: Int64) -> Int64 { count * 1_000_000 }
  static func s(_ count: Int64) -> Int64 { count * 1_000_000_000 }
  static func minutes(_ count: Int64) -> Int64 { .s(count * 60) }
  static func hours(_ count: Int64) -> Int64 { .s(count * 3600) }

  var shown: String { MediaTime(nanoseconds: self).description }
}
