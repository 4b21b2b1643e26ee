import HoldfastMarks
import HoldfastMediaModel

/// What the gap map says of each interruption, beside what was done and what the files have. Milliseconds.
struct GapCheck {
  struct Row {
    /// From the request until the gap begins, and the gap ends.
    let begin: Double
    let end: Double
    /// From when the gap ends until the first picture behind it was captured.
    let next: Double
    /// How much longer the gap is told to be than the pictures that the file does not have.
    let excess: Double
    let missing: Int
  }

  var rows: [Row] = []
  /// Numbers of interruptions without a gap, or without a place in the file.
  var unmatched: [Int] = []
  /// Pictures that are missing elsewhere.
  let elsewhere: Int

  private static let pictureLength = 1000.0 / 30

  init(of run: SoakRun, in file: SoakedFile) {
    let gaps = run.named("gap").filter { $0.text("cause") == "user" }
    var atCuts = 0
    for (index, injection) in run.injections.enumerated() {
      guard index < gaps.count, let from = gaps[index].wallTime("wallFrom"),
        let to = gaps[index].wallTime("wallTo"),
        let lost = (gaps[index].fields["lostMs"] as? [String: Double])?["video"],
        let cut = file.cut(by: injection)
      else {
        unmatched.append(index + 1)
        continue
      }
      atCuts += cut.missing
      let clock = injection.resume.asked
      rows.append(
        Row(
          begin: injection.interrupt.distance(to: from).milliseconds,
          end: injection.resume.distance(to: to).milliseconds,
          next: (cut.next.captureTime - clock.monotonic(of: to)).milliseconds,
          excess: lost - Double(cut.missing) * Self.pictureLength, missing: cut.missing))
    }
    elsewhere = file.cuts.reduce(0) { $0 + $1.missing } - atCuts
  }

  /// How far the farthest of a column is from nothing.
  func farthest(_ column: KeyPath<Row, Double>) -> Double {
    rows.map { abs($0[keyPath: column]) }.max() ?? .infinity
  }
}
