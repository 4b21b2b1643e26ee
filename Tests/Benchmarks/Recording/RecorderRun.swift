import Foundation
import TestSupport

/// The program while it records its test picture.
struct RecorderRun {
  private let process: HoldfastProcess
  private let folder: String
  private let begin = ContinuousClock.now

  init(in folder: ScratchFolder, number: Int) throws {
    self.folder = folder.file("run-\(number)")
    process = try HoldfastProcess([
      "publish", "--name", "bench-\(number)", "--video", "test", "--audio", "tone", "--size", "1280x720",
      "--bitrate",
      "2500k", "--record", self.folder,
    ])
  }

  /// How much of a core the recorder's threads have taken.
  func finish() throws -> Double {
    let seconds = Double((ContinuousClock.now - begin).components.seconds)
    let time = try threads.filter { $0.name.hasPrefix("recorder") }.reduce(0) { $0 + $1.seconds }
    process.signal(SIGINT)
    _ = process.result()
    try FileManager.default.removeItem(atPath: folder)
    guard time > 0 else { throw Failure(description: "there is no recorder's thread") }
    return time / seconds
  }

  /// The kernel counts in nanoseconds there.
  private var threads: [(name: String, seconds: Double)] {
    get throws {
      let tasks = "/proc/\(process.identifier)/task"
      return try FileManager.default.contentsOfDirectory(atPath: tasks).map { task in
        let name = try String(contentsOfFile: "\(tasks)/\(task)/comm", encoding: .utf8)
        let times = try String(contentsOfFile: "\(tasks)/\(task)/schedstat", encoding: .utf8)
        return (name, (times.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e9)
      }
    }
  }
}
