import HoldfastMarks
import HoldfastMediaModel
import TestSupport

extension Claims {
  mutating func check(_ run: InterruptionsRun) {
    let (rounds, types) = (run.injections.count, run.publishTypes)
    expect(run.status == 0, "it ends as asked", "status \(run.status)")
    expect(run.folder.recordings.count == 1, "one recording", "\(run.folder.recordings.count)")
    expect(
      types == ["record"] + Array(repeating: "append", count: rounds), "one record, then append",
      "\(types.count { $0 == "record" }) record, \(types.count { $0 == "append" }) append")
    let told = [run.events.named("interrupted"), run.events.named("resumed"), run.gaps].map(\.count)
    expect(told == Array(repeating: rounds, count: 3), "each is told", "interrupted, resumed, gap: \(told)")
  }

  /// `told` is the number of pictures that the broadcast reports as never captured.
  mutating func check(_ file: SoakedFile, _ gaps: GapCheck, told: Int) {
    let (title, report) = (file.title, file.report)
    for (kind, track) in file.times.tracks.sorted(by: { $0.key.rawValue > $1.key.rawValue }) {
      expect(
        track.stepsBack.isEmpty && track.packets > 0, "\(title): decode times of the \(kind.rawValue) rise",
        "\(track.packets) packets, \(track.stepsBack.count) not later, at most \(figure(track.longestStep)) ms apart"
      )
    }
    expect(
      report.isFaultless, "\(title): every picture once, in order, readable",
      "\(report.pictures) pictures, \(report.repeated) repeated, \(report.goingBack) back, \(report.unreadable) unreadable"
    )
    let spread = report.offsetSpread ?? .infinity
    expect(
      spread <= Self.offsetBar, "\(title): sound and picture stay within \(figure(Self.offsetBar, 0)) ms",
      report.offset.map { "\($0) at \(report.offsets.count) beeps, spread \(figure(spread)) ms" }
        ?? "no beeps")
    expect(
      gaps.unmatched.isEmpty, "\(title): each interruption has its gap and its place in the file",
      gaps.unmatched.isEmpty ? "\(gaps.rows.count)" : "not \(gaps.unmatched)")
    expect(
      gaps.farthest(\.excess) <= Self.frame, "\(title): missing is what the gap says, within a picture",
      "at most \(figure(gaps.farthest(\.excess))) ms from it, \(gaps.rows.reduce(0) { $0 + $1.missing }) pictures"
    )
    expect(
      gaps.elsewhere <= told, "\(title): nothing else is missing",
      "\(gaps.elsewhere) pictures, \(told) told as never captured")
  }

  mutating func check(_ gaps: GapCheck) {
    func within(_ column: (GapCheck.Row) -> Double, _ claim: String) {
      let farthest = gaps.farthest(column)
      expect(farthest <= Self.frame, claim, "at most \(figure(farthest)) ms from it")
    }
    within(\.begin, "a gap begins when the interruption was asked for, within a picture")
    within(\.end, "a gap ends when the return was asked for, within a picture")
    within(\.next, "the first picture behind a gap follows it, within one")
  }

  mutating func check(_ figures: Latencies) {
    let rounds = figures.resumed.count
    func within(_ values: [Double], _ bar: Double, _ claim: String) {
      let all = Percentiles(values)
      expect(values.count == rounds && all.highest <= bar, "\(claim) within \(figure(bar, 0)) ms", "\(all)")
    }
    within(figures.firstPicture, Self.returnBar, "resume to the first picture at the server")
    within(figures.publishing, Self.returnBar, "resume to the output that publishes")
    within(figures.lastMedia, Self.leaveBar, "interrupt to the last packet at the server")
    within(figures.departure, Self.leaveBar, "interrupt to the server's end of the publish")
    within(figures.recorded, Self.leaveBar, "interrupt to the recording's last write")
  }

  mutating func check(_ samples: [ProcessFigures]) {
    let third = samples.count / 3
    let (first, last) = (samples.prefix(third), samples.suffix(third))
    func compare(_ title: String, _ value: (ProcessFigures) -> Int, _ slack: (Double) -> Double) {
      let (before, after) = (
        Percentiles(first.map(value).map(Double.init)), Percentiles(last.map(value).map(Double.init))
      )
      let allowed = slack(before.median)
      expect(
        third > 0 && after.median <= before.median + allowed && after.highest <= before.highest + allowed,
        "\(title) in the last third as in the first", "first \(before); last \(after)")
    }
    compare("memory (kB)", \.memoryKilobytes) { $0 * 0.03 }
    // Allows for one connection attempt.
    compare("descriptors", \.descriptors) { _ in 2 }
    compare("threads", \.threads) { _ in 2 }
  }

  private static let frame = 1000.0 / 30 + 1
  private static let offsetBar = 20.0
  private static let returnBar = 500.0
  private static let leaveBar = 200.0
}
