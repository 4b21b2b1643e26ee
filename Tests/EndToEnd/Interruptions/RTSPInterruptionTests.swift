import Foundation
import HoldfastMarks
import TestSupport
import TestTraits
import Testing

/// An interruption at a server that supports PAUSE.
@Suite(.realTime) struct RTSPInterruptionTests {
  @Test func `an RTSP server that can pause keeps its session and its file`() throws {
    let folder = ScratchFolder()
    let server = try RTSPRecorder(in: folder)
    let subject = try HoldfastSubject(to: [server.url("porch")], in: folder)
    #expect(subject.reports("output", "publishing"), "\(subject.log)")
    usleep(1_500_000)
    subject.signal(SIGUSR1)
    #expect(server.waitFor("PAUSE /porch"), "\(subject.log)")
    usleep(1_500_000)
    subject.signal(SIGUSR2)
    #expect(subject.reports("output", "publishing", times: 2), "\(subject.log)")
    usleep(1_500_000)
    subject.finish()
    let requests = server.events().compactMap {
      $0.hasSuffix(" /porch") ? $0.split(separator: " ").first : nil
    }
    #expect(requests == ["ANNOUNCE", "RECORD", "PAUSE", "RECORD", "TEARDOWN", "closed"])
    #expect(server.recordings("porch").count == 1 && subject.interruptedPictures > 0)
    let media = try ServerMedia(path: try #require(server.recordings("porch").first))
    // Times are not checked: GStreamer's server restarts the times of each track at RECORD.
    #expect(media.hasBothTracksFromTheStart && media.report.isFaultless)
    #expect(subject.unexplainedLosses(in: media) <= 2)
  }
}
