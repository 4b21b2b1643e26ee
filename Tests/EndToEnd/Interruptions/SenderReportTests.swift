import TestSupport
import TestTraits
import Testing

/// What receivers learn about the time of an RTSP stream's tracks.
@Suite(.longRealTime) struct SenderReportTests {
  @Test(arguments: ["tcp", "udp"])
  func `across two interruptions an RTSP stream's reports map each track to the wall clock alike`(
    transport: String
  ) throws {
    let folder = ScratchFolder()
    let server = try RTSPReportServer(in: folder)
    let subject = try HoldfastSubject(
      to: [server.url("porch")], options: ["--rtsp-transport", transport], in: folder)
    for interruption in 0...2 {
      if interruption > 0 {
        try subject.interrupt(times: interruption)
        #expect(eventually { server.events.count { $0 == "PAUSE" } == interruption }, "\(subject.log)")
        try subject.resume(times: interruption)
      }
      let before = soundReports(server)
      #expect(subject.play(1) && eventually { soundReports(server) > before }, "\(subject.log)")
    }
    subject.finish()
    #expect(server.events.count { $0 == "ANNOUNCE" } == 1)
    for (track, rate) in [(0, 90_000.0), (1, 48_000.0)] {
      let reports = server.reports.filter { $0.track == track }
      let first = try #require(reports.first)
      let errors = reports.map { report in
        let elapsed = Double(Int32(truncatingIfNeeded: report.timestamp &- first.timestamp)) / rate
        return abs(report.wallClock - first.wallClock - elapsed)
      }
      #expect(errors.max() ?? 1 < 0.005)
    }
  }

  private func soundReports(_ server: RTSPReportServer) -> Int { server.reports.count { $0.track == 1 } }
}
