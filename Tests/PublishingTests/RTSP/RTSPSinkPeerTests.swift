import Foundation
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
  /// An ffmpeg that takes one publish and writes it to a file.
  private final class Taker {
    private let reserved: LoopbackPort
    private let process = Process()
    let path: String

    init(in folder: ScratchFolder) throws {
      reserved = try LoopbackPort()
      path = folder.file("taken.mkv")
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = [
        "ffmpeg", "-v", "error", "-nostdin", "-rtsp_flags", "listen", "-i", url, "-map", "0", "-c", "copy",
        path,
      ]
      process.standardInput = FileHandle.nullDevice
      try process.run()
    }

    deinit {
      if process.isRunning { kill(process.processIdentifier, SIGKILL) }
      process.waitUntilExit()
    }

    var url: String { "rtsp://127.0.0.1:\(reserved.number)/show" }

    /// It ends with the publish.
    func waitUntilEnded() { process.waitUntilExit() }
  }

  /// It takes one connection only, so there is no asking whether it is there.
  private func open(_ taker: Taker, _ media: EncodedMedia) throws -> RTSPSink {
    let limit = generousDeadline
    while true {
      do throws(SinkError) {
        let sink = RTSPSink(try url(taker))
        try sink.open(
          PublishRequest(type: .record, tracks: media.tracks), until: generousDeadline, stop: try stopSignal()
        )
        return sink
      } catch {
        guard error.kind == .unreachable, .now < limit else { throw error }
        usleep(10_000)
      }
    }
  }

  private func url(_ taker: Taker) throws(SinkError) -> RTSPURL {
    do { return try RTSPURL(taker.url) } catch { throw SinkError(.system, "\(error)") }
  }

  private func stopSignal() throws(SinkError) -> Wakeup {
    do { return try Wakeup() } catch { throw SinkError(.system, "\(error)") }
  }

  @Test(arguments: [("libx264", "aac"), ("libx265", "aac"), ("libx264", "libopus"), ("libx265", "libopus")])
  func `every codec that RTP carries arrives as it was sent`(video: String, audio: String) throws {
    let media = try EncodedMedia(video: video, audio: audio, reordered: 0)
    let folder = try ScratchFolder()
    let taker = try Taker(in: folder)
    let sink = try open(taker, media)
    try sink.play(media.packets)
    try sink.exchange { sink.health.isPeerAnswering }
    #expect(sink.health.isPeerAnswering)
    sink.close(until: generousDeadline)
    taker.waitUntilEnded()
    let recorded = try RecordedPackets(taker.path)
    let videoLack = recorded.lacks(media, .video, atMost: 2)
    #expect(videoLack == nil)
    let audioLack = recorded.lacks(media, .audio, atMost: 2)
    #expect(audioLack == nil)
  }

  @Test func `AV1 is refused in words before anybody is asked`() throws {
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
