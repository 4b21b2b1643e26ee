import Foundation
import HoldfastPlatform
import HoldfastTesting
import TestSupport

/// `verify-servers [JOINTS [FAULTS]]`: a broadcast to servers with the habits of others. What their files hold at the joints
/// of the publishes, what they lack beside what the gap lines say they lack, and what an RTSP stream tells of its clock.
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

  private struct Job: Sendable {
    let title: String
    let run: @Sendable () throws -> (lines: [String], holds: Bool)
  }

  private static func jobs(joints: Int, faults: Int) -> [Job] {
    let servers = habits.map { habits in
      Job(title: habits.isEmpty ? "none of them" : habits.map(\.rawValue).sorted().joined(separator: ", ")) {
        let report = try JointReport(ServerRun(habits, times: joints, of: [.interruption]))
        let table = try FaultReport(ServerRun(habits, times: faults, of: FaultKind.allCases), habits)
        return (report.lines + table.lines, report.holds && table.holds)
      }
    }
    return servers
      + ["tcp", "udp"].map { transport in
        Job(title: "the clock of RTSP over \(transport)") {
          let report = try ReportedClock(over: transport)
          return (report.lines, report.holds)
        }
      }
  }

  /// A few at a time, each with a broadcast of its own.
  private static func verify(joints: Int, faults: Int) throws -> Bool {
    let jobs = jobs(joints: joints, faults: faults)
    let results = Locked<[(order: Int, text: String, holds: Bool)]>([])
    let next = Locked(0)
    let threads = (0..<atOnce).map { _ in
      Thread {
        while let order = next.withLock({ take(&$0, of: jobs.count) }) {
          let (text, holds) = outcome(of: jobs[order])
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

  private static func outcome(of job: Job) -> (String, Bool) {
    do {
      Measurement.progress("\(job.title): begins")
      let (lines, holds) = try job.run()
      Measurement.progress("\(job.title): done")
      return ((["\n\(job.title)"] + lines).joined(separator: "\n"), holds)
    } catch {
      return ("\n\(job.title)\nFAIL \(error)", false)
    }
  }

  private static func take(_ next: inout Int, of count: Int) -> Int? {
    defer { next += 1 }
    return next < count ? next : nil
  }

  private static let atOnce = 3
}
