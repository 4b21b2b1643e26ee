import TestSupport

/// Reports the marks of the test picture and tone in each file.
enum ReadMarks {
  static func run(_ arguments: Arguments) throws -> Bool {
    guard !arguments.words.isEmpty else { throw UsageError() }
    for path in arguments.words {
      let marks = try RecordingMarks(path: path)
      print("\(path): sound \(marks.audioSeconds) s from \(marks.audioStart) s")
      print(marks.report)
    }
    return true
  }
}
