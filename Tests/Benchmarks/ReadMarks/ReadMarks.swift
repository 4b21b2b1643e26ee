import Glibc
import TestSupport

/// `read-marks FILE…`: what the test picture's marks say of each file.
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
