import HoldfastMarks
import HoldfastMediaModel
import HoldfastTesting
import TestSupport

extension Claims {
  /// How much more may be told than is missing, in milliseconds: what was in flight.
  private static let excessBar = 300.0
  /// What was handed over since the last answer of a server that froze.
  private static let frozenBar = 1300.0
  /// Such a server answers nothing, so nobody knows what it has: the kernel takes media for it.
  private static let unansweredBar = 2000.0

  /// What a server lacks beside what it is told to lack, for each kind of fault.
  mutating func checkFaults(of run: ServerRun, _ habits: Set<LocalServer.Habit>) throws {
    let gaps = try GapComparison.all(
      [("rtmp-1", run.file)], recording: run.folder.recording(), run.events, run.clock)[0]
    let isAnswering = !habits.isSuperset(of: [.withholdsPongs, .withholdsAcknowledgements])
    for kind in FaultKind.allCases {
      // The fault that came last before the end of what is missing or told.
      let rows = gaps.rows.filter { row in
        run.injected.last { $0.begin.seconds * 1000 < row.extent }?.kind == kind
      }
      let excesses = rows.map(\.excess)
      let bar =
        Self.excessBar + (kind == .freeze ? Self.frozenBar : 0) + (isAnswering ? 0 : Self.unansweredBar)
      expect(
        rows.allSatisfy { !$0.lacksMore && $0.excess <= bar }, kind.rawValue,
        "\(run.injected.count { $0.kind == kind }) times, \(rows.count) gaps, told more than missing "
          + "\(figure(excesses.min() ?? 0)) to \(figure(excesses.max() ?? 0)) ms")
      for row in rows where row.lacksMore || row.excess > bar {
        explain(row.told.compactMap { $0.line?.text } + row.missing.map { "  missing \(figure($0.lost)) ms" })
      }
    }
    let report = gaps.marks.report
    expect(
      report.repeated + report.goingBack == 0, "every picture once, in order", "\(report.pictures) pictures")
  }
}
