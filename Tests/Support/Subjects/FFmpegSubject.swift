import Foundation
import HoldfastMediaModel

/// The ffmpeg command with a `fifo` muxer for each server, its means of recovery.
package final class FFmpegSubject: Subject {
  package static let title = "ffmpeg"
  /// ffmpeg supports only the publish type `live`.
  package static let application = "append"
  package static let marksCarryClock = false

  private let process: RunningTool
  private let file: String
  private let addresses: [String]

  private static let fifo = [
    "-f", "fifo", "-fifo_format", "flv", "-attempt_recovery", "1", "-recover_any_error", "1",
    "-drop_pkts_on_overflow", "1", "-recovery_wait_time", "1", "-restart_with_keyframe", "1", "-map", "0",
    // FLV's own codec tags: the muxer rejects those of MP4.
    "-tag:v", "7", "-tag:a", "10",
  ]

  package init(to addresses: [String], environment: [String: String], in folder: ScratchFolder) throws {
    let source = folder.file("marked.mp4")
    try MarkedFile.put(to: source)
    file = folder.file("ffmpeg.mkv")
    self.addresses = addresses
    process = try RunningTool(
      [
        "ffmpeg", "-nostdin", "-nostats", "-hide_banner", "-v", "verbose", "-re", "-i", source, "-c", "copy",
        "-map", "0", "-f", "matroska", file,
      ]
        + addresses.flatMap { ["-c", "copy"] + Self.fifo + [$0] },
      environment: environment)
  }

  /// ffmpeg identifies outputs by object address only, so all changes are attributed to the faulty one.
  package func changes(ofOutputTo port: UInt16) -> [OutputChange] {
    guard addresses.first?.contains(":\(port)/") == true else { return [] }
    return process.lines.compactMap { line in
      line.text.hasPrefix("[fifo @") ? Self.change(line.text, at: line.at) : nil
    }
  }

  private static func change(_ text: String, at moment: MonotonicTime) -> OutputChange? {
    let states = [
      ("Recovery attempt", "connecting"), ("Recovery successful", "publishing"), ("queue full", "dropping"),
      ("Recovery failed", "waiting"),
    ]
    guard let state = states.first(where: { text.contains($0.0) })?.1 else { return nil }
    let cause = state == "waiting" ? text.components(separatedBy: ": ").last : nil
    return OutputChange(at: moment, state: state, cause: cause)
  }

  package func finish() { process.interrupt(timeout: 5) }

  package var recording: String? { file }
  package var uncapturedPictures: Int { 0 }
  package var log: String { process.lines.map(\.text).joined(separator: "\n") }
}
