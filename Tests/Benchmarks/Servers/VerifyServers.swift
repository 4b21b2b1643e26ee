import Foundation
import HoldfastPlatform
import HoldfastTesting
import TestSupport

/// `verify-servers [JOINTS [FAULTS]]`: a broadcast to servers with the habits of others. What their files hold at the joints
/// of the publishes, and what they lack beside what the gap lines say they lack.
@main enum VerifyServers {
  private static let habits: [Set<LocalServer.Habit>] = [
    [], [.withholdsPongs], [.withholdsAcknowledgements], [.withholdsPongs, .withholdsAcknowledgements],
    [.ignoresGoodBye], [.ignoresGoodBye, .withholdsPongs], [.closesInsteadOfRefusing],
    [.acceptsBeforeRefusing, .ignoresGoodBye], [.startsTracksAtZero], [.addsToLastStamp],
  ]

  static func main() {
    Measurement.run("verify-servers [JOINTS [FAULTS]]") { numbers in
      let (joints, faults) = (numbers.number(0, default: 20), numbers.number(1, default: 10))
      print(
        "320x180 at 30 and a tone, to one server; \(joints) joints in order, and \(faults) faults of each kind"
      )
      return try verify(joints: joints, faults: faults)
    }
  }

  /// A few servers at a time, each with a broadcast of its own.
  private static func verify(joints: Int, faults: Int) throws -> Bool {
    let results = Locked<[(order: Int, text: String, holds: Bool)]>([])
    let next = Locked(0)
    let threads = (0..<atOnce).map { _ in
      Thread {
        while let order = next.withLock({ take(&$0) }) {
          let (text, holds) = outcome(of: habits[order], joints: joints, faults: faults)
          results.withLock { $0.append((order, text, holds)) }
        }
      }
    }
    for thread in threads { thread.start() }
    while threads.contains(where: { !$0.isFinished }) { usleep(100_000) }
    let all = results.withLock { $0 }.sorted { $0.order < $1.order }
    for result in all { print(result.text) }
    return all.allSatisfy(\.holds)
  }

  private static func outcome(of habits: Set<LocalServer.Habit>, joints: Int, faults: Int) -> (String, Bool) {
    let title = habits.isEmpty ? "none of them" : habits.map(\.rawValue).sorted().joined(separator: ", ")
    do {
      Measurement.progress("\(title): begins")
      let report = try JointReport(ServerRun(habits, times: joints, of: [.interruption]))
      let table = try FaultReport(ServerRun(habits, times: faults, of: FaultKind.allCases), habits)
      Measurement.progress("\(title): done")
      let lines = ["\n\(title)"] + report.lines + table.lines
      return (lines.joined(separator: "\n"), report.holds && table.holds)
    } catch {
      return ("\n\(title)\nFAIL \(error)", false)
    }
  }

  private static func take(_ next: inout Int) -> Int? {
    defer { next += 1 }
    return next < habits.count ? next : nil
  }

  private static let atOnce = 3
}
