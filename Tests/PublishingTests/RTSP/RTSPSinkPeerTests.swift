import Glibc
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
  /// A sink whose server has accepted the publish. ffmpeg takes one connection only, so there is no asking whether it
  /// listens already.
  private func open(_ url: String, _ media: EncodedMedia) throws -> RTSPSink {
    let limit = generousDeadline
    while true {
      do {
        return try RTSPSink.opened(url, media)
      } catch let error as SinkError {
        guard error.kind == .unreachable, .now < limit else { throw error }
        usleep(10_000)
      }
    }
  }

  @Test(arguments: [("libx264", "aac"), ("libx265", "aac"), ("libx264", "libopus"), ("libx265", "libopus")])
  func `every codec that RTP carries arrives at ffmpeg's server`(video: String, audio: String) throws {
    let media = try EncodedMedia(video: video, audio: audio, reordered: 0)
    let folder = ScratchFolder()
    let (port, path) = (try LoopbackPort(), folder.file("taken.mkv"))
    let url = "rtsp://127.0.0.1:\(port.number)/show"
    // It ends with the publish.
    let server = try RunningTool([
      "ffmpeg", "-v", "error", "-nostdin", "-rtsp_flags", "listen", "-i", url, "-map", "0", "-c", "copy",
      path,
    ])
    let sink = try open(url, media)
    try sink.play(media.packets)
    try sink.exchange { sink.health.isPeerAnswering }
    #expect(sink.health.isPeerAnswering)
    sink.close(until: generousDeadline)
    server.result()
    #expect(try RecordedPackets(path).lacks(media, video: 2, audio: 2) == [])
  }

  @Test(arguments: ["libx264", "libx265"])
  func `a stream whose headers change on the way can be decoded whole`(video: String) throws {
    let media = try EncodedMedia.changingHeaders(video: video)
    let (folder, port) = (ScratchFolder(), try LoopbackPort())
    let (url, path) = ("rtsp://127.0.0.1:\(port.number)/show", folder.file("taken.ts"))
    let server = try RunningTool([
      "ffmpeg", "-v", "error", "-nostdin", "-rtsp_flags", "listen", "-i", url, "-map", "0:v", "-c", "copy",
      path,
    ])
    let sink = try open(url, media)
    try sink.play(media.packets)
    try sink.exchange { sink.health.isPeerAnswering }
    sink.close(until: generousDeadline)
    server.result()
    let (expected, got) = (try media.checksums(), try Tool.decodedPictures(path))
    #expect(expected.starts(with: got) && got.count >= media.pictures - 2)
  }

  @Test func `RTSP refuses AV1 with a reason before any connection`() throws {
    let format = VideoFormat(size: PictureSize(width: 64, height: 64), frameRate: .thirty)
    let track = Track(codec: .av1, format: .video(format), headers: [10, 11], bitrate: 0)
    let sink = RTSPSink(try RTSPURL("rtsp://127.0.0.1:1/show"))
    let stop = try Wakeup()
    let error = #expect(throws: SinkError.self) {
      try sink.open(PublishRequest(type: .record, tracks: [track]), until: generousDeadline, stop: stop)
    }
    #expect(error?.kind == .unsupported)
    #expect(error?.what.contains("AV1 over RTP") == true)
  }
}
