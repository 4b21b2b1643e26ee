import Foundation
import HoldfastMarks
import TestSupport
import TestTraits
import Testing

/// An interruption at a server that knows how to wait.
@Suite(.realTime) struct RTSPInterruptionTests {
  @Test func `an RTSP server that can pause keeps its session and its file`() throws {
    let folder = ScratchFolder()
    let server = try RTSPRecorder(in: folder)
    let subject = try HoldfastSubject(to: [server.url("porch")], in: folder)
    #expect(hasPublished(subject, server, times: 1), "\(subject.said)")
    usleep(1_500_000)
    subject.signal(SIGUSR1)
    #expect(server.waitFor("PAUSE /porch"), "\(subject.said)")
    usleep(1_500_000)
    subject.signal(SIGUSR2)
    #expect(hasPublished(subject, server, times: 2), "\(subject.said)")
    usleep(1_500_000)
    subject.finish()
    let requests = server.events().compactMap {
      $0.hasSuffix(" /porch") ? $0.split(separator: " ").first : nil
    }
    #expect(requests == ["ANNOUNCE", "RECORD", "PAUSE", "RECORD", "TEARDOWN", "closed"])
    #expect(server.recordings("porch").count == 1)
    #expect(subject.lostToUser > 0)
    let media = try ServerMedia(path: try #require(server.recordings("porch").first))
    // Not its times: GStreamer's server gives each track's first packet after RECORD a time from the beginning.
    #expect(media.hasBothTracksFromTheStart && media.report.isFaultless)
    #expect(abs(Double(media.missingPictures - subject.picturesNeverTaken) - subject.lostToUser) <= 2)
  }

  private func hasPublished(_ subject: HoldfastSubject, _ server: RTSPRecorder, times: Int) -> Bool {
    eventually {
      subject.changes(ofOutputTo: server.port).count { $0.state == "publishing" } >= times
    }
  }
}
