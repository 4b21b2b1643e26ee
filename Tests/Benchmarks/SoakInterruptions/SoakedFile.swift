import HoldfastMarks
import HoldfastMediaModel
import TestSupport

struct SoakedFile {
  /// A gap between consecutive pictures of the file.
  struct Cut {
    let last: FrameMark
    let next: FrameMark

    var missing: Int { Int(next.number - last.number) - 1 }

    func contains(_ time: MonotonicTime) -> Bool { last.captureTime <= time && time < next.captureTime }
  }

  let title: String
  let report: MarkReport
  let times: PacketTimes
  let cuts: [Cut]

  init(_ title: String, path: String) throws {
    let marks = try RecordingMarks(path: path)
    self.title = title
    report = marks.report
    times = try PacketTimes(path: path)
    let read = marks.pictures.compactMap(\.mark)
    cuts = zip(read, read.dropFirst()).compactMap { last, next in
      next.number > last.number + 1 ? Cut(last: last, next: next) : nil
    }
  }

  /// The gap made by `injection`: it spans the resume request.
  func cut(by injection: Injection) -> Cut? { cuts.first { $0.contains(injection.resume.sent.monotonic) } }
}
