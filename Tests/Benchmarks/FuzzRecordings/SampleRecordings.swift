import Foundation
import TestSupport

/// Recordings of some 100 KB with each of the codecs, finished, killed and cut short.
enum SampleRecordings {
  private static let settings: [(name: String, options: [String])] = [
    ("h264-aac", []), ("hevc-opus", ["--video-codec", "hevc", "--audio-codec", "opus"]),
    ("av1-aac", ["--video-codec", "av1"]), ("h264", ["--audio", "off"]), ("aac", ["--video", "off"]),
    ("gaps", ["--keep-gaps"]),
  ]

  /// Makes them in the folder; returns the paths.
  static func make(in folder: ScratchFolder) throws -> [String] {
    try settings.flatMap { name, options in
      let place = ScratchFolder()
      let all =
        ["--size", "320x180", "--fps", "15", "--bitrate", "150k", "--audio-bitrate", "64k", "--gop", "500ms"]
        + options
      let paths = [folder.file("\(name).mp4"), folder.file("\(name)-torn.mp4")]
      let finished = try FinishedBroadcast(all + ["--duration", "3s"], in: place).path
      let bytes = try Data(contentsOf: URL(fileURLWithPath: finished))
      try bytes.write(to: URL(fileURLWithPath: paths[0]))
      try bytes.prefix(bytes.count * 7 / 10).write(to: URL(fileURLWithPath: paths[1]))
      guard name == "h264-aac" else { return paths }
      return paths + [try killed(all, as: folder.file("\(name)-killed.mp4"))]
    }
  }

  private static func killed(_ options: [String], as path: String) throws -> String {
    let place = ScratchFolder()
    let subject = try HoldfastSubject(options: ["--duration", "30s"] + options, in: place)
    let isThere = eventually { place.recordings.first.map { fileSize($0) > 90_000 } ?? false }
    subject.kill()
    guard isThere else { throw TestFailure("nothing was recorded") }
    try FileManager.default.copyItem(atPath: place.recording(), toPath: path)
    return path
  }
}
