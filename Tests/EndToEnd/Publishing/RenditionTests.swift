import Foundation
import HoldfastMarks
import HoldfastMediaModel
import TestSupport
import TestTraits
import Testing

/// A recording and outputs of one broadcast that differ in size and bitrate.
@Suite(.longRealTime) struct RenditionTests {
  private let folder = ScratchFolder()

  private func output(_ url: String, _ rendition: String) -> String {
    #"{"url": "\#(url)", "rendition": "\#(rendition)"}"#
  }

  /// Six seconds that cost an encoder whatever rate it has.
  private func noise() throws -> String {
    let path = folder.file("noise.mkv")
    try Tool.run([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=640x360:rate=30,noise=alls=60:allf=t",
      "-f",
      "lavfi", "-i", "sine=sample_rate=48000", "-t", "6", "-c:v", "libx264", "-preset", "ultrafast", "-qp",
      "18", "-c:a", "aac", path,
    ])
    return "file:\(path)"
  }

  @Test
  func `a recording of 6 Mb/s and outputs of 2 and 1 are true to their rates, with keyframes in common`()
    throws
  {
    let server = try NginxRTMP(in: folder)
    let source = try noise()
    let subject = try HoldfastSubject(
      to: [server.url("typed", "main"), output(server.url("typed", "low"), "low")],
      options: [
        "--video", source, "--audio", source, "--size", "640x360", "--bitrate", "2M", "--gop", "1s",
        "--record-bitrate", "6M", "--renditions", #"{"low": {"size": "320x180", "bitrate": "1M"}}"#,
      ], in: folder)
    subject.waitForEnd()
    let recording = try RecordedPictures(path: try #require(subject.recording), from: 1)
    let main = try RecordedPictures(path: server.recording("typed", "main"), from: 1)
    let low = try RecordedPictures(path: server.recording("typed", "low"), from: 1)
    for (file, rate, size) in [(recording, 6.0, "640x360"), (main, 2, "640x360"), (low, 1, "320x180")] {
      #expect(file.size.description == size)
      #expect(
        abs(file.bitsPerSecond / 1e6 - rate) < rate / 8, "\(file.bitsPerSecond) of \(rate)\n\(subject.log)")
    }
    #expect(
      main.hasKeyframes(of: recording) && low.hasKeyframes(of: recording), "\(low) \(main) \(recording)")
    #expect(subject.lines.lostPictures() == 0, "\(subject.log)")
  }

  @Test func `while the server of one rendition is frozen, the recording and the other one miss nothing`()
    throws
  {
    let (steady, frozen) = (try NginxRTMP(in: folder), try NginxRTMP(in: folder))
    let subject = try HoldfastSubject(
      to: [steady.url("typed", "main"), output(frozen.url("typed", "low"), "low")],
      options: [
        "--record-bitrate", "1M", "--renditions", #"{"low": {"size": "160x90", "bitrate": "200k"}}"#,
      ],
      in: folder)
    #expect([steady.port, frozen.port].allSatisfy { subject.reports("publishing", ofOutputTo: $0) })
    #expect(subject.play(1), "\(subject.log)")
    frozen.freeze()
    #expect(subject.play(4.5), "\(subject.log)")
    let status = try subject.controlStatus()
    let renditions = status["renditions"] as? [[String: Any]] ?? []
    #expect(renditions.compactMap { $0["name"] as? String } == ["main", "recording", "low"])
    frozen.thaw()
    #expect(subject.play(1), "\(subject.log)")
    subject.finish()
    let published = try ServerMedia(path: steady.recording("typed", "main"))
    let recorded = try RecordingMarks(path: try #require(subject.recording))
    #expect(published.missingPictures <= subject.uncapturedPictures && published.report.pictures > 150)
    #expect(recorded.missingPictures <= subject.uncapturedPictures && recorded.report.pictures > 180)
    #expect(recorded.report.isFaultless && published.report.isFaultless)
  }

  enum Server: CaseIterable { case rtmp, rtsp }

  @Test(arguments: Server.allCases)
  func `a line that falls to a third costs its own output rate alone, and that only while it is weak`(
    server: Server
  ) throws {
    let steady = try NginxRTMP(in: folder)
    let (weak, proxy): (any Peer, FaultProxy)
    let url: (UInt16) -> String
    switch server {
    case .rtmp:
      let peer = try NginxRTMP(in: folder)
      (weak, proxy, url) = (peer, try FaultProxy(to: peer.port), { "rtmp://127.0.0.1:\($0)/typed/weak" })
    case .rtsp:
      let peer = try RTSPRecorder(in: folder)
      (weak, proxy, url) = (peer, try FaultProxy(to: peer.port), { "rtsp://127.0.0.1:\($0)/weak" })
    }
    let source = try noise()
    let subject = try HoldfastSubject(
      to: [#"{"url": "\#(url(proxy.port))", "id": "weak"}"#, steady.url("typed", "steady")],
      options: [
        "--video", source, "--audio", source, "--loop=true", "--size", "640x360", "--bitrate", "1500k",
      ], in: folder)
    #expect(
      [proxy.port, steady.port].allSatisfy { subject.reports("publishing", ofOutputTo: $0) }, "\(subject.log)"
    )
    #expect(subject.play(4), "\(subject.log)")
    func adaptation() throws -> String? {
      let outputs = try subject.controlStatus()["outputs"] as? [[String: Any]]
      return outputs?.first { $0["id"] as? String == "weak" }?["adaptive"] as? String
    }
    #expect(try adaptation() == "shared")
    let weakened = try subject.mediaTime()
    try proxy.perform(.throttle(bytesPerSecond: 68_000))
    #expect(eventually { (try? adaptation()) == "own" }, "\(subject.log)")
    #expect(subject.play(8), "\(subject.log)")
    let recovered = try subject.mediaTime()
    try proxy.perform(.pass)
    #expect(eventually { (try? adaptation()) == "shared" }, "\(subject.log)")
    let shared = try subject.mediaTime()
    #expect(shared - recovered < 22, "\(subject.log)")
    #expect(subject.play(3), "\(subject.log)")
    subject.finish()
    // All pictures arrived that the machine had time for; the others had them at the full rate.
    let lost = subject.lines.lostPictures { $0["cause"] as? String != "encoderTooSlow" }
    #expect(lost == 0, "\(subject.log)")
    let atFull = subject.lines.named("bitrate").contains { $0["bps"] as? Int == 1_500_000 }
    #expect(atFull && subject.lines.named("bitrate").allSatisfy { $0["rendition"] as? String == "own-weak" })
    for path in [try #require(subject.recording), steady.recording("typed", "steady")] {
      let pictures = try RecordedPictures(path: path, from: weakened)
      #expect(abs(pictures.bitsPerSecond / 1.5e6 - 1) < 0.15 && pictures.size.description == "640x360")
    }
    let file =
      (weak as? NginxRTMP)?.recording("typed", "weak") ?? (weak as? RTSPRecorder)?.recordings("weak").first
    let (path, recording) = (try #require(file), try #require(subject.recording))
    if server == .rtmp {
      let times = try PacketTimes(path: path)
      #expect(times.isMonotone && (times.tracks[.video]?.longestStep ?? 1000) < 150, "\(times)")
    }
    // GStreamer's recorder has its own idea of the times on a line that changes, and leaves out what comes last.
    let missing = try RecordedPictures(path: recording).count - RecordedPictures(path: path).count
    #expect(missing < 60, "\(subject.log)")
    let errors = try Tool.run([
      "sh", "-c", "ffmpeg -v error -i '\(path)' -map 0:v -f rawvideo -y /dev/null 2>&1",
    ])
    let ofDecoder = errors.split(separator: "\n").filter { $0.contains("h264") || $0.contains("decod") }
    #expect(ofDecoder.isEmpty, "\(ofDecoder)")
  }
}
