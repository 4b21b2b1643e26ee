import Foundation
import TestSupport

struct RecorderRun {
  private let process: HoldfastProcess
  private let folder: String
  private let time: ProcessorTime

  init(in folder: ScratchFolder, number: Int) throws {
    self.folder = folder.file("run-\(number)")
    process = try HoldfastProcess([
      "publish", "--name", "bench-\(number)", "--video", "test", "--audio", "tone", "--size", "1280x720",
      "--bitrate", "2500k", "--record", self.folder,
    ])
    time = ProcessorTime(of: process.identifier)
  }

  /// Ends the run; returns the share of a core that the recorder took.
  func finish() throws -> Double {
    let share = time.shares.filter { $0.key.hasPrefix("recorder") }.reduce(0) { $0 + $1.value } / 100
    process.end()
    try FileManager.default.removeItem(atPath: folder)
    guard share > 0 else { throw TestFailure("there is no recorder's thread") }
    return share
  }
}
