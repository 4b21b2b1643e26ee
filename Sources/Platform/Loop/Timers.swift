package import HoldfastMediaModel

/// The deadlines of numbered timers.
package struct Timers: Sendable {
  private var deadlines: [Int: MonotonicTime] = [:]

  package init() {}

  package var next: MonotonicTime? { deadlines.values.min() }
  package var isEmpty: Bool { deadlines.isEmpty }

  package mutating func set(_ number: Int, at deadline: MonotonicTime) { deadlines[number] = deadline }

  package mutating func cancel(_ number: Int) { deadlines[number] = nil }

  /// Removes the timer that was due first; returns its number, or nil if none is due.
  package mutating func takeDue(at now: MonotonicTime) -> Int? {
    let due = deadlines.filter { $0.value <= now }.min { ($0.value, $0.key) < ($1.value, $1.key) }
    guard let due else { return nil }
    deadlines[due.key] = nil
    return due.key
  }
}
