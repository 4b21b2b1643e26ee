import Foundation
import TestSupport

struct RecorderRun {
  private let subject: HoldfastSubject
  private let time: ProcessorTime

  init() throws {
    subject = try HoldfastSubject(options: ["--size", "1280x720", "--bitrate", "2500k"], in: ScratchFolder())
    time = ProcessorTime(of: subject.identifier)
  }

  /// Ends the run; returns the share of a core that the recorder took.
  func finish() throws -> Double {
    let share = time.shares.filter { $0.key.hasPrefix("recorder") }.reduce(0) { $0 + $1.value } / 100
    subject.finish()
    guard share > 0 else { throw TestFailure("there is no recorder's thread") }
    return share
  }
}
