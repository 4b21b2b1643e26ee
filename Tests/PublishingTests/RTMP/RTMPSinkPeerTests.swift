import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRTMP
import TestSupport
import TestTraits
import Testing

@testable import HoldfastPublishing

/// The sink against nginx.
@Suite(.realTime) struct RTMPSinkPeerTests {
  private let folder = ScratchFolder()

  @Test func `a stream whose headers change on the way can be decoded whole`() throws {
    let media = try EncodedMedia.changingHeaders(video: "libx264")
    let server = try NginxRTMP(in: folder)
    let sink = RTMPSink(try RTMPURL(server.url("typed", "show")), tls: TLSSettings())
    try sink.open(
      PublishRequest(type: .record, tracks: media.tracks), until: generousDeadline, stop: try Wakeup())
    let wakeup = try Wakeup()
    for packet in media.packets {
      try sink.send(packet)
      repeat { try sink.exchange(until: .now, wakeup: wakeup) } while sink.backlog > 0
    }
    #expect(sink.close(until: generousDeadline))
    #expect(eventually { server.departures().count == 1 })
    let decoded = try Tool.decodedPictures(server.recording("typed", "show"))
    #expect(try decoded == media.checksums() && decoded.count == media.pictures)
  }
}
