import Foundation
import TestSupport

/// The lateness of a session's end, also after a crash and restart, and the delay that a gate adds to a start.
enum SessionBench {
  /// In seconds.
  private static let expiryBar = 0.1
  private static let gateBar = 0.05

  static func run(_ arguments: Arguments) throws -> Bool {
    let (ends, beginnings) = (try arguments.number(0, default: 20), try arguments.number(1, default: 20))
    let isOnTime = try expiries(ends)
    return try starts(beginnings) && isOnTime
  }

  private static func expiries(_ count: Int) throws -> Bool {
    let runs = try (1...count).map { try Expiry(killed: $0.isMultiple(of: 2)) }
    print(
      "\(count) sessions of \(Expiry.length) s, every second one killed and started again; after endsAt, in ms"
    )
    var rows: [(String, [Double])] = []
    for (name, isKilled) in [("left alone", false), ("killed and taken up", true)] {
      let those = runs.filter { $0.isKilled == isKilled }
      rows += [
        ("\(name): over is told", those.map(\.reported)),
        ("\(name): the last picture was captured", those.map(\.lastPicture)),
        ("\(name): the recording is finished", those.map(\.finished)),
      ]
    }
    printTable(rows.filter { !$0.1.isEmpty })
    let farthest = runs.flatMap { [$0.reported, $0.lastPicture].map(abs) }.max() ?? .infinity
    return verdict(farthest <= expiryBar, "expiry, at most from its time", farthest, expiryBar)
  }

  private static func starts(_ count: Int) throws -> Bool {
    var (without, with): ([Double], [Double]) = ([], [])
    for _ in 1...count {
      without.append(try secondsUntilLive([]))
      with.append(try secondsUntilLive(["--gate", "true"]))
    }
    print("\(count) starts each, turn by turn: from the start of the process until it is live, in ms")
    printTable([("without a gate", without), ("with --gate true", with)])
    let added = median(with) - median(without)
    return verdict(added <= gateBar, "the gate adds, by the medians", added, gateBar)
  }

  private static func printTable(_ rows: [(name: String, seconds: [Double])]) {
    let lines = rows.map { name, seconds in
      let all = Percentiles(seconds)
      return [name] + [all.lowest, all.median, all.highest].map { figure($0 * 1000) }
    }
    print(aligned([["", "min", "median", "max"]] + lines))
  }

  private static func verdict(_ holds: Bool, _ name: String, _ seconds: Double, _ bar: Double) -> Bool {
    print(String(format: "%@ %@: %.1f ms of %.0f", holds ? "ok  " : "FAIL", name, seconds * 1000, bar * 1000))
    print("")
    return holds
  }
}
