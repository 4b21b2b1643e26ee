import Glibc
import HoldfastMarks
import HoldfastMediaModel
import TestSupport

extension Claims {
  private static let stretches = [20.0, 5, 5]
  /// In milliseconds.
  private static let clockBar = 5.0

  /// What receivers of an RTSP stream learn about the time of its tracks from its sender reports, over 30 s with two
  /// interruptions; and what FFmpeg, which goes by them, writes of the first 20 s.
  mutating func checkReportedClock(over transport: String) throws {
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
    for track in [TrackKind.video, .audio] {
      let deviations = server.deviations(of: track)
      expect(
        deviations.count > 3 && deviations.allSatisfy { $0 <= Self.clockBar },
        "the \(track.rawValue)'s reports agree",
        "\(deviations.count) reports, at most \(figure(deviations.max() ?? .nan)) ms from the first")
    }
    check(offsets: try RecordingMarks(path: file).report.offsets.map(\.milliseconds), within: Self.clockBar)
  }
}
