import Foundation
import TestSupport

struct RecorderRun {
  private let process: HoldfastProcess
  private let folder: String
  private let begin = ContinuousClock.now

  init(in folder: ScratchFolder, number: Int) throws {
    self.folder = folder.file("run-\(number)")
    process = try HoldfastProcess([
      "publish", "--name", "bench-\(number)", "--video", "test", "--audio", "tone", "--size", "1280x720",
      "--bitrate", "2500k", "--record", self.folder,
    ])
  }

  func finish() throws -> Double {
    let seconds = Double((ContinuousClock.now - begin).components.seconds)
    let time = ProcessFigures.processorSeconds(process.identifier).filter { $0.key.hasPrefix("recorder") }
      .reduce(0) { $0 + $1.value }
    process.signal(SIGINT)
    _ = process.result()
    try FileManager.default.removeItem(atPath: folder)
    guard time > 0 else { throw TestFailure("there is no recorder's thread") }
    return time / seconds
  }
}
