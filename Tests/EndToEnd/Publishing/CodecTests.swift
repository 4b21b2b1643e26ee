import Foundation
import HoldfastMarks
import HoldfastMediaModel
import HoldfastMediaServer
import HoldfastTesting
import TestSupport
import TestTraits
import Testing

/// The README's table of codecs and protocols, cell by cell.
@Suite(.realTime) struct CodecTests {
  private let folder = ScratchFolder()

  struct Pair: CustomTestStringConvertible {
    let video: Codec
    let audio: Codec
    var testDescription: String { "\(video.name) and \(audio.name)" }
    static let common = [Pair(video: .h264, audio: .aac), Pair(video: .hevc, audio: .opus)]
  }

  private static let rate = 15

  /// Starts a broadcast of four seconds.
  private func publish(_ pair: Pair, to address: String, _ more: [String] = []) throws -> HoldfastSubject {
    try HoldfastSubject(
      to: [address],
      options: [
        "--fps", "\(Self.rate)", "--bitrate", "300k", "--video-codec", pair.video.rawValue, "--audio-codec",
        pair.audio.rawValue, "--duration", "4s",
      ] + more, in: folder)
  }

  /// What the broadcast reports missing of a track at its only output, in seconds. On a busy machine that is more than what
  /// is missing everywhere: the first pictures may be too old once it has connected.
  private func lost(_ track: String, _ subject: HoldfastSubject) -> Double {
    subject.lines.lost(track) { $0["output"] as? String != "recording" }.reduce(0, +) / 1000
  }

  /// Expects at least `pictures` pictures but for those reported missing, and both tracks from the first second. Over `udp` a
  /// busy machine may drop some, or a part of one.
  private func check(
    _ path: String, is pair: Pair, pictures: Int, udp: Bool = false, _ subject: HoldfastSubject
  ) throws {
    let names = try Tool.probe(path).map { $0["codec_name"] ?? "" }
    #expect(names.sorted() == [pair.video, pair.audio].map(\.rawValue).sorted(), "\(subject.log)")
    let media = try ServerMedia(path: path)
    let log: Comment = "\(media.report)\n\(subject.log)"
    let lostPictures = Int((lost("video", subject) * Double(Self.rate)).rounded())
    #expect(media.report.pictures >= pictures - lostPictures - (udp ? 3 : 0), log)
    // AV1's fast encoder blurs a number now and then.
    let unreadable = media.report.unreadable
    #expect(media.missingPictures - unreadable <= lostPictures, log)
    #expect(udp || unreadable <= (pair.video == .av1 ? 3 : 0), log)
    #expect(media.hasBothTracksFromTheStart && media.isMonotone, log)
    #expect(media.audioSeconds > 3 - lost("audio", subject), log)
  }

  @Test(arguments: Pair.common + [Pair(video: .av1, audio: .aac)])
  func `RTMP carries each pair of codecs`(pair: Pair) throws {
    let server = try LocalServer(directory: folder.path)
    let tail = FLVTail(path: folder.file("porch.flv"))
    let subject = try publish(pair, to: server.url("porch"))
    subject.waitForEnd()
    server.stop()
    let ended = server.events.compactMap { if case .ended(let report, _) = $0 { report } else { nil } }
    let report = try #require(ended.last, "\(subject.log)")
    #expect(report.video?.codec == pair.video && report.audio?.codec == pair.audio)
    let readable = folder.file("readable.mp4")
    try EnhancedRecording.convert(tail.finish(), size: PictureSize(width: 320, height: 180), to: readable)
    try check(readable, is: pair, pictures: 59, subject)
  }

  @Test(arguments: [Codec.h264, .hevc, .av1])
  func `without a recording, an output connects before the first picture is encoded`(video: Codec) throws {
    let server = try LocalServer()
    let subject = try publish(Pair(video: video, audio: .aac), to: server.url("porch"), ["--record", "off"])
    #expect(subject.reports("output", "publishing"), "\(subject.log)")
    subject.kill()
  }

  /// The server never writes the last 200 ms.
  @Test(arguments: Pair.common, ["tcp", "udp"])
  func `RTSP carries each pair of codecs`(pair: Pair, transport: String) throws {
    let server = try RTSPRecorder(in: folder, tracks: [pair.video, pair.audio])
    let subject = try publish(pair, to: server.url("porch"), ["--rtsp-transport", transport])
    subject.waitForEnd()
    #expect(server.waitFor("closed /porch"), "\(server.events())")
    let path = try #require(server.recordings("porch").first, "\(subject.log)")
    try check(path, is: pair, pictures: 53, udp: transport == "udp", subject)
  }

  @Test(arguments: Pair.common)
  func `SRT carries each pair of codecs`(pair: Pair) throws {
    let server = try SRTListener(in: folder)
    // The latency leaves a busy machine time for retransmissions.
    let subject = try publish(pair, to: server.url("latency=1000"))
    subject.waitForEnd()
    try check(server.finishedRecording(), is: pair, pictures: 59, subject)
  }

  @Test(arguments: ["rtsp://127.0.0.1/porch", "srt://127.0.0.1:9000"])
  func `a codec that a protocol cannot carry is refused before the start`(address: String) throws {
    let sources = ["--video", "test", "--audio", "tone"]
    let result = try HoldfastProcess.run(["publish", "--video-codec", "av1", "--to", address] + sources)
    #expect(result.status == 64 && result.errors.contains("can't carry AV1"), "\(result.errors)")
  }
}
