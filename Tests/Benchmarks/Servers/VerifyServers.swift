import HoldfastTesting
import TestSupport

/// A broadcast to servers with the habits of others. What their files hold at the joints of the publishes, what they lack
/// beside what the gap lines say they lack, and what an RTSP stream tells of its clock.
enum VerifyServers {
  private static let habits: [Set<LocalServer.Habit>] = [
    [], [.withholdsPongs], [.withholdsAcknowledgements], [.withholdsPongs, .withholdsAcknowledgements],
    [.ignoresGoodBye], [.ignoresGoodBye, .withholdsPongs], [.closesInsteadOfRefusing],
    [.acceptsBeforeRefusing, .ignoresGoodBye], [.startsTracksAtZero], [.addsToLastStamp],
  ]

  private static let atOnce = 3

  static func run(_ arguments: Arguments) throws -> Bool {
    let (joints, faults) = (try arguments.number(0, default: 20), try arguments.number(1, default: 10))
    print(
      "320x180 at 30 and a tone, to one server; \(joints) joints in order, and \(faults) faults of each kind")
    let jobs = jobs(joints: joints, faults: faults)
    // Each with a broadcast of its own.
    let results = inParallel(jobs.count, width: atOnce) { claims(of: jobs[$0]) }
    for (job, claims) in zip(jobs, results) {
      print("\n\(job.title)\n" + claims.lines.joined(separator: "\n"))
    }
    return results.allSatisfy(\.hold)
  }

  private struct Job: Sendable {
    let title: String
    let check: @Sendable (inout Claims) throws -> Void
  }

  private static func jobs(joints: Int, faults: Int) -> [Job] {
    let servers = habits.map { habits in
      Job(title: habits.isEmpty ? "none of them" : habits.map(\.rawValue).sorted().joined(separator: ", ")) {
        try $0.checkJoints(of: ServerRun(habits, times: joints, of: [.interruption]))
        try $0.checkFaults(of: ServerRun(habits, times: faults, of: FaultKind.allCases), habits)
      }
    }
    let clocks = ["tcp", "udp"].map { transport in
      Job(title: "the clock of RTSP over \(transport)") { try $0.checkReportedClock(over: transport) }
    }
    return servers + clocks
  }

  private static func claims(of job: Job) -> Claims {
    var claims = Claims()
    progress("\(job.title): begins")
    do { try job.check(&claims) } catch { claims.expect(false, "\(error)") }
    progress("\(job.title): done")
    return claims
  }
}
