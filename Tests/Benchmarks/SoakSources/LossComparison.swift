import HoldfastMarks
import HoldfastMediaModel
import TestSupport

/// The pictures that a recording lacks by their marks, beside those that its gap lines say it lacks, for each fault. Of a
/// source that is ahead of its time, the time that the recording is without its pictures: what it sends then may be older.
struct LossComparison {
  struct Row {
    /// In milliseconds.
    var missing = 0.0
    var told = 0.0

    var apart: Double { told - missing }
  }

  static let picture = 1000.0 / 30

  private(set) var rows: [Row]
  /// Outside of the faults, in milliseconds.
  let elsewhere: Row
  /// Pictures captured before, or at the same time as, an earlier one.
  private(set) var back = 0

  init(_ pictures: [MarkedPicture], _ lines: EventLines, _ spans: [ClosedRange<Double>], isAhead: Bool) {
    rows = [Row](repeating: Row(), count: spans.count + 1)
    func row(at seconds: Double) -> Int { spans.firstIndex { $0.contains(seconds) } ?? spans.count }
    let read = pictures.compactMap { picture in
      picture.mark.map { (at: picture.time.seconds, captured: $0.captureTime.seconds * 1000) }
    }
    for (last, next) in zip(read, read.dropFirst()) {
      let missing = (isAhead ? (next.at - last.at) * 1000 : next.captured - last.captured) - Self.picture
      if next.captured <= last.captured { back += 1 }
      // The slate in its place has no marks.
      if missing > Self.picture / 2 { rows[row(at: next.at)].missing += missing }
    }
    for line in lines.named("gap") {
      guard let at = line["mediaAt"] as? Double, let lost = lostMs(line, "video") else { continue }
      rows[row(at: (at + lost) / 1000)].told += lost
    }
    elsewhere = rows.removeLast()
  }
}
