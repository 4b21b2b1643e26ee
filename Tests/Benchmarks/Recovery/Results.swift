import Foundation
import TestSupport

/// What the runs have come to so far.
final class Results: @unchecked Sendable {  // guarded by `lock`
  private let lock = NSLock()
  private var measured: [Measured] = []
  private var failures: [String] = []

  func add(_ one: Measured) { lock.withLock { measured.append(one) } }
  func add(failure: String) { lock.withLock { failures.append(failure) } }

  /// The table, Holdfast's line first, and what went wrong in the measuring itself.
  var text: String {
    lock.withLock {
      let order = Fault.allCases
      let sorted = measured.sorted {
        (order.firstIndex(of: $0.fault) ?? 0, $1.subject) < (order.firstIndex(of: $1.fault) ?? 0, $0.subject)
      }
      let over = sorted.filter { $0.subject == HoldfastSubject.title }.flatMap { one in
        one.overBars().map { "over the bar: \(one.fault.title): \($0)" }
      }
      return ([FaultTable(sorted).text] + over + failures).joined(separator: "\n")
    }
  }
}
