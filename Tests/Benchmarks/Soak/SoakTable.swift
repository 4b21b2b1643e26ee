import HoldfastMediaModel
import TestSupport

/// For each file and cause: how much is missing, how much is told, and how far apart these are.
struct SoakTable {
  let text: String

  init(_ gaps: [GapComparison]) {
    var lines = [["output", "cause", "gaps", "missing", "told", "apart ms", "begin ms", "end ms"]]
    for gap in gaps {
      let groups = Dictionary(grouping: gap.rows) { row in
        row.told.isEmpty ? "(not told)" : row.missing.isEmpty ? row.causes + " (not missing)" : row.causes
      }
      for (cause, rows) in groups.sorted(by: { $0.key < $1.key }) {
        lines.append(Self.line(gap.output, cause, rows))
      }
    }
    text = aligned(lines)
  }

  private static func line(_ output: String, _ cause: String, _ rows: [GapComparison.Row]) -> [String] {
    func seconds(_ stretches: [GapComparison.Stretch]) -> String {
      figure(stretches.reduce(0) { $0 + $1.lost } / 1000, 3) + " s"
    }
    func farthest(_ value: (GapComparison.Row) -> Double) -> String {
      rows[0].isTold ? figure(rows.map { abs(value($0)) }.max() ?? 0) : ""
    }
    return [
      output, cause, "\(rows.count)", seconds(rows.flatMap(\.missing)), seconds(rows.flatMap(\.told)),
      farthest(\.excess), farthest(\.begin), farthest(\.end),
    ]
  }

  static func details(_ output: String, _ row: GapComparison.Row) -> String {
    var lines = ["\(output):"]
    if row.isTold {
      lines[0] +=
        " told \(figure(row.excess)) ms more than is missing, from \(figure(row.begin)) ms and to "
        + "\(figure(row.end)) ms later"
    }
    lines += row.missing.map { "  missing \(span($0))" }
    lines += row.told.map { "  told    \(span($0)): \($0.line?.text ?? "")" }
    return lines.joined(separator: "\n")
  }

  private static func span(_ stretch: GapComparison.Stretch) -> String {
    "\(figure(stretch.lost)) ms, \(figure(stretch.begin / 1000, 3)) to \(figure(stretch.end / 1000, 3))"
  }
}
