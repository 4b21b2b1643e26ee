import Foundation
import HoldfastMP4
import HoldfastRecording
import TestSupport

/// How much of a recording is readable, for us and for a player.
struct RecordingState {
  let samples: Int
  let played: Int
  let isFinished: Bool
  let bytes: Data

  init(path: String) throws {
    let inspection = try? RecordingInspection(OpenRecording(path: path).bytes)
    samples = inspection?.keptSamples ?? 0
    isFinished = inspection.map { $0.needsNoRepair && $0.segmentIndex != .none } ?? false
    played = Self.played(path)
    bytes = try Data(contentsOf: URL(fileURLWithPath: path))
  }

  /// The packets that FFmpeg reads.
  private static func played(_ path: String) -> Int {
    let lines = try? Tool.probe(path, "stream=nb_read_packets", options: ["-v", "quiet", "-count_packets"])
    return lines?.joined().compactMap { Int($0) }.reduce(0, +) ?? 0
  }

  static func all(in folder: String) throws -> [String: RecordingState] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    var states: [String: RecordingState] = [:]
    for name in names where name.hasSuffix(".mp4") {
      states[name] = try RecordingState(path: "\(folder)/\(name)")
    }
    return states
  }
}
