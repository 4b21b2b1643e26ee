import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport

/// `soak [MINUTES [SEED]]`: a broadcast to two servers with random faults of all kinds, and then the marks in all
/// pictures against the gap lines, and memory over time.
@main enum Soak {
  static func main() {
    Measurement.run("soak [MINUTES [SEED]]") { numbers in
      try soak(
        minutes: numbers.number(0, default: 65),
        seed: UInt64(numbers.number(1, default: .random(in: 1...999_999))))
    }
  }

  private static func soak(minutes: Int, seed: UInt64) throws -> Bool {
    let plan = SoakPlan(minutes: minutes, seed: seed)
    print("320x180 at 30 and a microphone, to two nginx-rtmp and a recording; \(minutes) min, seed \(seed)")
    print(
      SoakPlan.Kind.allCases.map { kind in "\(kind.rawValue) \(plan.faults.count { $0.kind == kind })" }
        .joined(separator: ", "))
    let run = try SoakRun(plan, minutes: minutes) { Measurement.progress($0) }
    Measurement.progress("reading what it left")
    let gaps = try run.comparisons()
    print("\n" + SoakTable(gaps).text)
    var claims = SoakClaims()
    claims.check(run)
    for gap in gaps { claims.check(gap) }
    claims.check(memory: run.memory)
    print(claims.lines.joined(separator: "\n"))
    for gap in gaps {
      for row in gap.rows where !row.holds { print("\n" + SoakTable.details(gap.output, row)) }
    }
    return claims.holds
  }
}

extension SoakRun {
  func comparisons() throws -> [GapComparison] {
    let marks = try files.map { ($0.output, try RecordingMarks(path: $0.path)) }
    guard let recording = marks.first(where: { $0.0 == "recording" })?.1.captures,
      let first = recording.first, let last = recording.last
    else { throw TestFailure("there is no recording") }
    return marks.map { output, marks in
      GapComparison(output, marks, within: (first, last), told: events.told(of: output, clock))
    }
  }
}
