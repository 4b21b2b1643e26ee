import HoldfastMarks
import HoldfastMediaModel
import TestSupport

/// What one file has of the broadcast.
struct SoakedFile {
  /// A place where pictures that were captured are not there.
  struct Cut {
    let last: FrameMark
    let next: FrameMark

    var missing: Int { Int(next.number - last.number) - 1 }

    func contains(_ time: MonotonicTime) -> Bool { last.captureTime <= time && time < next.captureTime }
  }

  let title: String
  let report: MarkReport
  let times: PacketTimes
  let audioSeconds: Double
  let cuts: [Cut]

  init(_ title: String, path: String) throws {
    let marks = try RecordingMarks(path: path)
    self.title = title
    report = marks.report
    times = try PacketTimes(path: path)
    audioSeconds = marks.audioSeconds
    let read = marks.pictures.compactMap(\.mark)
    cuts = zip(read, read.dropFirst()).compactMap { last, next in
      next.number > last.number + 1 ? Cut(last: last, next: next) : nil
    }
  }

  /// From the earliest sound to the latest, each measured against its pictures.
  var offsetSpread: Double? { report.offset.map { $0.maximum - $0.minimum } }

  /// The one that an interruption made: media had stopped, and had not begun again, when it was resumed.
  func cut(by injection: Injection) -> Cut? {
    cuts.first { $0.contains(injection.resume.asked.monotonic) }
  }
}
