import Glibc
import HoldfastMediaModel
import TestSupport
import TestTraits
import Testing

/// An output whose network can't carry what it shares with a recording, and for H.264 with another output.
@Suite(.busyRealTime, .long()) struct WeakNetworkTests {
  enum Server: String { case rtmp, rtsp, srt }

  struct Case: Sendable, CustomTestStringConvertible {
    let server: Server
    var codec = Codec.h264
    var size = "640x360"
    var bitrate = 1_500_000
    var audioBitrate = 128_000
    /// In bytes a second.
    var throttled = 68_000
    var testDescription: String { "\(codec.name) by \(server)" }

    static let all = [
      Case(server: .rtmp), Case(server: .rtsp), Case(server: .srt),
      // At its lowest bitrate of a lower level: its headers change.
      Case(
        server: .srt, codec: .hevc, size: "160x90", bitrate: 500_000, audioBitrate: 32_000, throttled: 30_000),
    ]
  }

  /// A server behind a network that can become weak.
  private struct Line {
    let url: String
    /// Nil for what the network usually carries.
    let throttle: (_ bytesPerSecond: Int?) throws -> Void
    let file: () throws -> String

    init(to server: Server, in folder: ScratchFolder) throws {
      switch server {
      case .rtmp:
        let peer = try NginxRTMP(in: folder)
        (url, throttle) = try Self.connection(to: peer.port) { "rtmp://127.0.0.1:\($0)/typed/weak" }
        file = { peer.recording("typed", "weak") }
      case .rtsp:
        let peer = try RTSPListener(in: folder)
        (url, throttle) = try Self.connection(to: peer.port) { "rtsp://127.0.0.1:\($0)/show" }
        file = { peer.finishedRecording() }
      case .srt:
        let peer = try SRTListener(in: folder)
        let relay = try DatagramRelay(to: peer.port)
        url = "srt://127.0.0.1:\(relay.port)"
        throttle = { relay.throttle(bytesPerSecond: $0) }
        file = { peer.finishedRecording() }
      }
    }

    private static func connection(
      to port: UInt16, _ url: (UInt16) -> String
    ) throws -> (String, (Int?) throws -> Void) {
      let proxy = try FaultProxy(to: port)
      return (url(proxy.port), { try proxy.perform($0.map { .throttle(bytesPerSecond: $0) } ?? .pass) })
    }
  }

  private let folder = ScratchFolder()

  @Test(arguments: Case.all)
  func `a line that falls to a third costs its own output rate alone, and that only while it is weak`(
    weak: Case
  ) throws {
    let line = try Line(to: weak.server, in: folder)
    // nginx knows H.264 only.
    let steady = weak.codec == .h264 ? try NginxRTMP(in: folder) : nil
    let steadyOutputs = steady.map { [#"{"url": "\#($0.url("typed", "steady"))", "id": "steady"}"#] } ?? []
    let source = try Noise.file(in: folder, size: weak.size)
    let subject = try HoldfastSubject(
      to: [#"{"url": "\#(line.url)", "id": "weak"}"#] + steadyOutputs,
      options: [
        "--video", source, "--audio", source, "--loop=true", "--size", weak.size, "--bitrate",
        "\(weak.bitrate)", "--video-codec", weak.codec.rawValue, "--audio-bitrate", "\(weak.audioBitrate)",
      ], in: folder)
    func output(_ key: String) throws -> String? {
      let outputs = try subject.controlStatus()["outputs"] as? [[String: Any]]
      return outputs?.first { $0["id"] as? String == "weak" }?[key] as? String
    }
    #expect(eventually { (try? output("state")) == "publishing" }, "\(subject.log)")
    if let steady { #expect(subject.reports("publishing", ofOutputTo: steady.port), "\(subject.log)") }
    #expect(try subject.play(4) && output("adaptive") == "shared", "\(subject.log)")
    let weakened = try subject.mediaTime()
    try line.throttle(weak.throttled)
    #expect(eventually { (try? output("adaptive")) == "own" } && subject.play(8), "\(subject.log)")
    let recovered = try subject.mediaTime()
    try line.throttle(nil)
    #expect(eventually { (try? output("adaptive")) == "shared" }, "\(subject.log)")
    let shared = try subject.mediaTime()
    #expect(shared - recovered < 22, "\(subject.log)")
    #expect(subject.play(3), "\(subject.log)")
    subject.finish()
    // All pictures arrived that the machine had time for; the others had them at the full rate.
    let lost = subject.lines.lostPictures { !EventLines.isLateness($0) }
    let hadTime = !subject.log.contains("what doesn't fit is dropped")
    #expect(lost == 0 || !hadTime, "\(subject.log)")
    let rates = subject.lines.named("bitrate")
    #expect(rates.contains { $0["bps"] as? Int == weak.bitrate }, "\(subject.log)")
    let ofOthers = rates.filter { $0["rendition"] as? String != "own-weak" }
    let reasons = ofOthers.map { $0["why"] as? String ?? "" }
    #expect(reasons.allSatisfy { ["overload", "the machine keeps up again"].contains($0) }, "\(reasons)")
    let recording = try #require(subject.recording)
    let users = ["recording": recording, "steady": steady?.recording("typed", "steady")]
    for (user, path) in users.compactMapValues(\.self) {
      let pictures = try RecordedPictures(path: path, from: weakened)
      #expect(abs(pictures.bitsPerSecond / Double(weak.bitrate) - 1) < 0.15, "\(pictures)")
      #expect(pictures.size.description == weak.size)
      #expect(Double(pictures.missing) <= subject.lines.lostPictures(of: user), "\(subject.log)")
    }
    try check(line.file(), of: recording, subject)
  }

  private func check(_ path: String, of recording: String, _ subject: HoldfastSubject) throws {
    let received = try RecordedPictures(path: path)
    #expect(try Tool.decodedPictures(path).count == received.count)
    #expect(Double(received.missing) <= subject.lines.lostPictures(of: "weak"), "\(subject.log)")
    // It begins when it is connected.
    let missing = try RecordedPictures(path: recording).count - received.count
    #expect(Double(missing) < 60 + subject.lines.lostPictures(of: "weak"), "\(subject.log)")
    let times = try PacketTimes(path: path)
    #expect(times.isMonotone, "\(times)")
  }
}
