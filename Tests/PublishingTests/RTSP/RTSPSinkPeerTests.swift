import HoldfastFFmpeg
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRTSP
import TestSupport
import TestTraits
import Testing

@testable import HoldfastPublishing

/// The sink against FFmpeg's own server, which takes every codec that its library unpacks.
@Suite(.realTime) struct RTSPSinkPeerTests {
  private let folder = ScratchFolder()

  /// Publishes `media` to ffmpeg, and returns what that has written.
  private func publish(_ media: EncodedMedia, container: String) throws -> String {
    let server = try RTSPListener(in: folder, container: container)
    let sink = try RTSPSink.opened(server.url, media)
    try sink.play(media.packets)
    try sink.exchange { sink.health.isPeerAnswering }
    #expect(sink.health.isPeerAnswering)
    sink.close(until: generousDeadline)
    return server.finishedRecording()
  }

  @Test(arguments: [("libx264", "aac"), ("libx265", "aac"), ("libx264", "libopus"), ("libx265", "libopus")])
  func `every codec that RTP carries arrives at ffmpeg's server`(video: String, audio: String) throws {
    let media = try EncodedMedia(video: video, audio: audio, reordered: 0)
    let path = try publish(media, container: "mkv")
    #expect(try RecordedPackets(path).lacks(media, video: 2, audio: 2) == [])
  }

  @Test(arguments: ["libx264", "libx265"])
  func `a stream whose headers change on the way can be decoded whole`(video: String) throws {
    let media = try EncodedMedia.changingHeaders(video: video)
    let path = try publish(media, container: "ts")
    let (expected, got) = (try media.checksums(), try Tool.decodedPictures(path))
    #expect(expected.starts(with: got) && got.count >= media.pictures - 2)
  }

  @Test func `RTSP refuses AV1 with a reason before any connection`() throws {
    let track = Track(codec: .av1, format: SampleTracks.video.format, headers: [10, 11], bitrate: 0)
    let sink = RTSPSink(try RTSPURL("rtsp://127.0.0.1:1/show"))
    let request = PublishRequest(type: .record, tracks: [track])
    let error = #expect(throws: SinkError.self) {
      try sink.open(request, until: generousDeadline, stop: Wakeup())
    }
    #expect((error?.kind, error?.what.contains("AV1 over RTP")) == (.unsupported, true))
  }
}
