import TestSupport

/// A broadcast to two servers with random faults of all kinds, and then the marks in all pictures against the gap lines,
/// and memory over time.
enum Soak {
  static func run(_ arguments: Arguments) throws -> Bool {
    let (minutes, seed) = (try arguments.number(0, default: 65), try arguments.seed(1))
    let plan = SoakPlan(minutes: minutes, seed: seed)
    print("320x180 at 30 and a microphone, to two nginx-rtmp and a recording; \(minutes) min, seed \(seed)")
    print(
      SoakPlan.Kind.allCases.map { kind in "\(kind.rawValue) \(plan.faults.count { $0.kind == kind })" }
        .joined(separator: ", "))
    let run = try SoakRun(plan, minutes: minutes)
    progress("reading what it left")
    let gaps = try GapComparison.all(run.files, recording: run.folder.recording(), run.events, run.clock)
    print("\n" + SoakTable(gaps).text)
    var claims = Claims()
    claims.check(run)
    for gap in gaps { claims.check(gap) }
    claims.check(memory: run.memory)
    print(claims.lines.joined(separator: "\n"))
    for gap in gaps {
      for row in gap.rows where !row.holds { print("\n" + SoakTable.details(gap.output, row)) }
    }
    return claims.hold
  }
}
