import Foundation
import HoldfastMarks
import TestSupport
import TestTraits
import Testing

/// Media as received by real servers and their viewers.
@Suite(.realTime) struct PublishingTests {
  private let folder = ScratchFolder()

  @Test func `a start publishes as record, a reconnection as append, and the file continues`() throws {
    let server = try NginxRTMP(in: folder)
    let tail = FLVTail(path: server.recording("typed", "porch"))
    let subject = try HoldfastSubject(to: [server.url("typed", "porch")], in: folder)
    #expect(tail.hasPictures(moreThan: 60), "\(subject.log)")
    try server.drop("typed", "porch")
    let before = tail.tags.count
    #expect(tail.wait { $0.count > before + 200 }, "\(subject.log)")
    subject.finish()
    #expect(server.publishes().map(\.type) == ["record", "append"])
    let media = try ServerMedia(path: server.recording("typed", "porch"), tags: tail.finish())
    #expect(try media.isFaultless && #require(media.report.greatestOffset) <= 20, "\(media.report)")
  }

  @Test func `a viewer gets picture and sound from the first second`() throws {
    let server = try NginxRTMP(in: folder)
    let tail = FLVTail(path: server.recording("typed", "porch"))
    let subject = try HoldfastSubject(to: [server.url("typed", "porch")], in: folder)
    #expect(tail.hasPictures(moreThan: 15), "\(subject.log)")
    let address = server.url("typed", "porch")
    let seen = try Tool.ffmpeg("-i \(address) -t 3 -c copy", to: folder.file("seen.flv"))
    subject.finish()
    let media = try ServerMedia(path: seen)
    #expect(media.hasBothTracksFromTheStart && media.isMonotone)
    #expect(media.report.pictures + media.missingPictures > 60, "\(subject.log)")
    #expect(Double(media.missingPictures) <= subject.lines.picturesTooLate(of: "rtmp-1"), "\(subject.log)")
  }

  enum Server: CaseIterable { case rtmp, rtsp, srt }

  @Test(arguments: Server.allCases)
  func `while one of three servers is frozen, the others miss nothing`(frozen: Server) throws {
    let rtmp = try NginxRTMP(in: folder)
    let rtsp = try RTSPRecorder(in: folder)
    let srt = try SRTListener(in: folder)
    let addresses = [rtmp.url("typed", "porch"), rtsp.url("porch"), srt.url()]
    let subject = try HoldfastSubject(to: addresses, in: folder)
    let ports = [rtmp.port, rtsp.port, srt.port]
    #expect(ports.allSatisfy { subject.reports("publishing", ofOutputTo: $0) }, "\(subject.log)")
    usleep(1_000_000)
    let peers: [Server: any Peer] = [.rtmp: rtmp, .rtsp: rtsp, .srt: srt]
    peers[frozen]?.freeze()
    usleep(4_500_000)
    peers[frozen]?.thaw()
    usleep(1_000_000)
    subject.finish()
    var files: [Server: String] = [.rtmp: rtmp.recording("typed", "porch"), .srt: srt.finishedRecording()]
    files[.rtsp] = rtsp.recordings("porch").first
    files[frozen] = nil
    #expect(files.count == 2)
    for (server, file) in files {
      let media = try ServerMedia(path: file)
      #expect(media.missingPictures <= subject.uncapturedPictures, "\(server)")
      #expect(media.report.pictures + media.missingPictures > 150, "\(server)")
    }
    let own = try RecordingMarks(path: try #require(subject.recording))
    #expect(own.missingPictures <= subject.uncapturedPictures)
  }
}
