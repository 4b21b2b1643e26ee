import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport

/// Interruptions of the ffmpeg command, which must be ended and restarted.
struct FFmpegRestarts {
  private(set) var lastMedia: [Double] = []
  private(set) var firstPicture: [Double] = []
  private(set) var files = 0

  init(_ plan: InterruptionsPlan) throws {
    let folder = ScratchFolder()
    let server = try NginxRTMP(in: folder)
    let tail = FLVTail(path: server.recording("append", "ffmpeg"))
    var asked = MonotonicTime.now
    for (index, round) in plan.rounds.enumerated() {
      let before = tail.tags.count
      let process = try Self.start(to: [folder.file("\(index).mp4"), server.url("append", "ffmpeg")])
      guard
        tail.wait(atMost: 20, until: { $0.dropFirst(before).contains { $0.kind == .video && !$0.isHeader } }),
        let first = tail.tags.dropFirst(before).first(where: { $0.kind == .video && !$0.isHeader })
      else { throw TestFailure("ffmpeg did not get on air") }
      if index > 0 { firstPicture.append((first.arrival - asked).milliseconds) }
      pause(round.live)
      let interrupted = MonotonicTime.now
      process.signal(SIGINT)
      process.result()
      // By now the server has written all media that it received.
      pause(round.interrupted)
      if let last = tail.tags.last(where: { !$0.isHeader }) {
        lastMedia.append(max(0, (last.arrival - interrupted).milliseconds))
      }
      asked = .now
    }
    files = plan.rounds.indices.count { FileManager.default.fileExists(atPath: folder.file("\($0).mp4")) }
  }

  private static func start(to targets: [String]) throws -> RunningTool {
    try RunningTool(
      ["ffmpeg", "-nostdin", "-v", "quiet"] + FFmpegArguments.signals(["-re"])
        + FFmpegArguments.encoding("2500k") + [
          "-flags", "+global_header", "-map", "0:v", "-map", "1:a", "-f", "tee",
          targets.enumerated().map { "[f=\($0 == 0 ? "mp4" : "flv")]\($1)" }.joined(separator: "|"),
        ])
  }
}
