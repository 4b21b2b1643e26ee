import Glibc
import HoldfastMarks
import HoldfastMediaModel
import TestSupport

/// What receivers of an RTSP stream learn about the time of its tracks from its sender reports, over 30 s with two
/// interruptions; and what FFmpeg, which goes by them, writes of the first 20 s.
struct ReportedClock {
  let lines: [String]
  let holds: Bool

  private static let stretches = [20.0, 5, 5]
  /// In milliseconds.
  private static let bar = 5.0

  init(over transport: String) throws {
    let folder = ScratchFolder()
    let (server, port) = (try RTSPReportServer(in: folder), try LoopbackPort())
    let (listener, file) = ("rtsp://127.0.0.1:\(port.number)/porch", folder.file("listener.mkv"))
    let receiver = try RunningTool([
      "ffmpeg", "-v", "error", "-rtsp_flags", "listen", "-i", listener, "-c", "copy", "-y", file,
    ])
    let subject = try HoldfastSubject(
      to: [server.url("porch"), listener], options: ["--rtsp-transport", transport], in: folder)
    for (interruption, stretch) in Self.stretches.enumerated() {
      if interruption > 0 {
        try subject.interrupt(times: interruption)
        guard eventually({ server.events.count { $0 == "PAUSE" } == interruption }) else {
          throw TestFailure("the output doesn't pause: \(subject.log)")
        }
        try subject.resume(times: interruption)
      }
      guard subject.play(stretch) else { throw TestFailure("media time stands: \(subject.log)") }
    }
    subject.finish()
    receiver.signal(SIGINT)
    receiver.result()
    let tracks = [TrackKind.video, .audio].map { ($0.rawValue, server.deviations(of: $0)) }
    let offsets = try RecordingMarks(path: file).report.offsets.map(\.milliseconds)
    let claims =
      tracks.map { name, deviations in
        (
          "the \(name)'s reports agree", deviations.count > 3 && deviations.allSatisfy { $0 <= Self.bar },
          "\(deviations.count) reports, at most \(figure(deviations.max() ?? .nan)) ms from the first"
        )
      } + [
        (
          "sound within 5 ms of the picture", !offsets.isEmpty && offsets.allSatisfy { abs($0) <= Self.bar },
          "\(figure(offsets.min() ?? .nan)) to \(figure(offsets.max() ?? .nan)) ms in \(offsets.count) marks"
        )
      ]
    holds = claims.allSatisfy { $0.1 }
    lines = claims.map { "\($0.1 ? "ok  " : "FAIL") \($0.0): \($0.2)" }
  }
}
