import HoldfastMarks
import HoldfastMediaModel
import HoldfastTesting
import TestSupport

/// What a server lacks beside what it is told to lack, for each kind of fault.
struct FaultReport {
  private(set) var lines: [String] = []
  private(set) var holds = true

  /// How much more may be told than is missing, in milliseconds: what was in flight.
  private static let excessBar = 300.0
  /// What was handed over since the last answer of a server that froze.
  private static let frozenBar = 1300.0
  /// Such a server answers nothing, so nobody knows what it has: the kernel takes media for it.
  private static let unansweredBar = 2000.0

  init(_ run: ServerRun, _ habits: Set<LocalServer.Habit>) throws {
    guard let recording = run.recording else { throw TestFailure("there is no recording") }
    let captures = try RecordingMarks(path: recording).captures
    guard let first = captures.first, let last = captures.last else {
      throw TestFailure("it has no pictures")
    }
    let gaps = GapComparison(
      "rtmp-1", try RecordingMarks(path: run.file), within: (first, last),
      told: run.events.told(of: "rtmp-1", run.clock))
    let isAnswering = !habits.isSuperset(of: [.withholdsPongs, .withholdsAcknowledgements])
    for kind in FaultKind.allCases {
      let rows = gaps.rows.filter { row in Self.kind(of: row, in: run) == kind }
      let excesses = rows.map(\.excess)
      let bar =
        Self.excessBar + (kind == .freeze ? Self.frozenBar : 0) + (isAnswering ? 0 : Self.unansweredBar)
      let lacking = rows.filter(\.lacksMore)
      let isKept = lacking.isEmpty && excesses.allSatisfy { $0 <= bar }
      holds = holds && isKept
      lines.append(
        "\(isKept ? "ok  " : "FAIL") \(kind.rawValue): \(run.injected.count { $0.kind == kind }) times, "
          + "\(rows.count) gaps, told more than missing \(figure(excesses.min() ?? 0)) to "
          + "\(figure(excesses.max() ?? 0)) ms")
      for row in rows where row.lacksMore || row.excess > bar {
        lines += row.told.compactMap { $0.line?.text } + row.missing.map { "  missing \(figure($0.lost)) ms" }
      }
    }
    let report = gaps.marks.report
    let isOnce = report.repeated + report.goingBack == 0
    holds = holds && isOnce
    lines.append("\(isOnce ? "ok  " : "FAIL") every picture once, in order: \(report.pictures) pictures")
  }

  /// The fault that came last before the end of what is missing or told.
  private static func kind(of row: GapComparison.Row, in run: ServerRun) -> FaultKind? {
    run.injected.last { $0.begin.seconds * 1000 < row.extent }?.kind
  }
}
