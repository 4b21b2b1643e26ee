import Foundation
import Glibc
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastPostproduction
import HoldfastRecording
import TestSupport

/// What became of one mutated recording. A worker reports it to the program as a line of JSON.
struct RecordingTrial: Codable, Sendable {
  let index: Int
  private(set) var seconds = 0.0
  private(set) var peakMegabytes = 0.0
  private(set) var writtenMegabytes = 0.0
  private(set) var isRepaired = false
  private(set) var isExported = false
  private(set) var problems: [String] = []

  static let maxSeconds = 5.0
  static let maxMegabytes = 200.0
  /// What is written for a file of some 100 KB: its media, the room for an index, and what fills its gaps.
  static let maxWritten = 10.0

  /// Verifies, repairs and exports the file, and verifies the repaired one.
  init(_ index: Int, path: String, in folder: String) {
    self.index = index
    let keepsGaps = index.isMultiple(of: 2)
    let repaired = folder + "/repaired.mp4"
    let exported = folder + (keepsGaps ? "/exported.mkv" : "/exported.mp4")
    Self.resetPeak()
    step("verify") { _ = try RecordingVerification(path: path, environment: [:]) }
    let repair = step("repair") { try RecordingRepair(path: path, target: .file(repaired)).run() }
    if case .repaired? = repair { isRepaired = true }
    if isRepaired {
      // Overwritten bytes in a picture are seen by its marks alone, and no repair brings them back.
      let found = step("verify the repaired file") {
        try RecordingVerification(path: repaired, marks: .off, environment: [:])
      }
      let texts = found?.defects.map { "\($0.kind.rawValue): \($0.text)" } ?? ["unreadable"]
      if !texts.isEmpty { problems.append("repaired, and not whole: " + texts.joined(separator: "; ")) }
    }
    isExported =
      step("export") {
        var request = Export.Request(
          parts: [path], output: exported, container: keepsGaps ? .mkv : .mp4, environment: [:])
        request.gaps = keepsGaps ? .keep : .close
        return try Export(request).run()
      } != nil
    for path in [repaired, exported] {
      writtenMegabytes += Double((try? FileDescriptor.openForReading(path).size()) ?? 0) / 1e6
      removeFile(path)
    }
    peakMegabytes = Double(ProcessFigures(of: getpid())?.peakKilobytes ?? 0) / 1000
    if peakMegabytes > Self.maxMegabytes { problems.append("\(Int(peakMegabytes)) MB of memory") }
    if writtenMegabytes > Self.maxWritten { problems.append("\(Int(writtenMegabytes)) MB written") }
  }

  /// What can't be used is refused, in bounded time.
  private mutating func step<Result>(_ name: String, _ body: () throws -> Result) -> Result? {
    let start = MonotonicTime.now
    let result = try? body()
    let length = (MonotonicTime.now - start).seconds
    seconds = max(seconds, length)
    if length > Self.maxSeconds { problems.append("\(name) took \(Int(length)) s") }
    return result
  }

  /// Begins to measure the peak of this process's memory anew.
  private static func resetPeak() {
    guard let file = fopen("/proc/self/clear_refs", "w") else { return }
    fputs("5", file)
    fclose(file)
  }
}
