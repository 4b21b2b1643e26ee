import HoldfastMediaModel
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
    for track in TrackKind.allCases {
      let deviations = server.deviations(of: track)
      #expect(deviations.max() ?? .infinity < 5, "\(deviations)")
    }
  }

  private func soundReports(_ server: RTSPReportServer) -> Int { server.reports.count { $0.track == 1 } }
}
