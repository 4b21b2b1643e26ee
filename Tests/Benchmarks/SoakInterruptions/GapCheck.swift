import HoldfastMarks
import HoldfastMediaModel
import TestSupport

/// The gap of each interruption compared with the requests and the files, in milliseconds.
struct GapCheck {
  struct Row {
    /// From the requests to the start and the end of the gap.
    let begin: Double
    let end: Double
    /// From the end of the gap to the capture of the next picture.
    let next: Double
    /// The gap's length minus that of the pictures missing from the file.
    let excess: Double
    let missing: Int
  }

  var rows: [Row] = []
  /// The numbers of interruptions without a gap or without missing pictures.
  var unmatched: [Int] = []
  /// Pictures missing outside interruptions.
  let elsewhere: Int

  private static let pictureLength = 1000.0 / 30

  init(of run: InterruptionsRun, in file: SoakedFile) {
    let gaps = run.gaps
    var atCuts = 0
    for (index, injection) in run.injections.enumerated() {
      guard index < gaps.count, let from = wallTime(gaps[index]["wallFrom"]),
        let to = wallTime(gaps[index]["wallTo"]), let lost = lostMs(gaps[index], "video"),
        let cut = file.cut(by: injection)
      else {
        unmatched.append(index + 1)
        continue
      }
      atCuts += cut.missing
      let clock = injection.resume.sent
      rows.append(
        Row(
          begin: injection.interrupt.distance(to: from).milliseconds,
          end: injection.resume.distance(to: to).milliseconds,
          next: (cut.next.captureTime - clock.monotonic(of: to)).milliseconds,
          excess: lost - Double(cut.missing) * Self.pictureLength, missing: cut.missing))
    }
    elsewhere = file.cuts.reduce(0) { $0 + $1.missing } - atCuts
  }

  func farthest(_ column: (Row) -> Double) -> Double { rows.map { abs(column($0)) }.max() ?? .infinity }
}
