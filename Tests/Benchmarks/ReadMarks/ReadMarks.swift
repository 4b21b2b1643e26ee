import Glibc
import TestSupport

/// `read-marks FILE…`: reports the test picture marks of each file.
@main enum ReadMarks {
  static func main() {
    for path in CommandLine.arguments.dropFirst() {
      do {
        let marks = try RecordingMarks(path: path)
        print("\(path): sound \(marks.audioSeconds) s from \(marks.audioStart) s")
        print(marks.report)
      } catch {
        print("\(path): \(error)")
        exit(1)
      }
    }
  }
}
