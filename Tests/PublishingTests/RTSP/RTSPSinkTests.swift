import HoldfastFFmpeg
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRTSP
import TestSupport
import TestTraits
import Testing

@testable import HoldfastPublishing

/// The sink against a real server.
@Suite(.realTime) struct RTSPSinkTests {
  private let folder = ScratchFolder()
  private let usual: EncodedMedia

  init() throws { usual = try EncodedMedia.usual.get() }

  @Test(arguments: RTSPSink.Transport.allCases, [false, true])
  func `pictures and sound arrive with their times, and a pause loses nothing and leaves no gap`(
    transport: RTSPSink.Transport, isPaused: Bool
  ) throws {
    let media = try EncodedMedia.inOrder.get()
    let server = try RTSPRecorder(in: folder)
    let sink = try RTSPSink.opened(server.url("show"), media, transport: transport)
    let middle = try #require(media.packets.firstIndex { $0.track == .video && $0.decodeTime > .seconds(1) })
    try sink.play(isPaused ? media.packets[..<middle] : media.packets[...])
    if isPaused {
      #expect(try sink.pause(until: generousDeadline))
      let whilePaused = sink.health.lastProgress
      try sink.exchange(for: .seconds(2)) { false }
      #expect(sink.health.lastProgress > whilePaused)
      try sink.resume(until: generousDeadline)
      try sink.play(media.packets[middle...])
    }
    sink.close(until: generousDeadline)
    #expect(server.waitFor("closed /show") && server.recordings("show").count == 1)
    let recorded = try RecordedPackets(#require(server.recordings("show").first))
    #expect(recorded.lacks(media, video: 15, audio: 25) == [])
    // The server gives the first packet after a pause no time of its own.
    #expect(recorded.farthest(from: media, butFor: isPaused ? 2 : 0) < .milliseconds(100))
  }

  @Test func `the right password is accepted`() throws {
    for credentials in [RTSPRecorder.Credentials.basic, .digest] {
      let server = try RTSPRecorder(in: folder, credentials: credentials)
      let sink = try RTSPSink.opened(server.url("show", password: RTSPRecorder.password), usual)
      #expect(sink.health.lastProgress <= .now)
      sink.close(until: generousDeadline)
      #expect(server.waitFor("RECORD /show"))
    }
  }

  @Test(arguments: ["wrong", nil])
  func `a wrong or missing password is refused`(password: String?) throws {
    let server = try RTSPRecorder(in: folder, credentials: .digest)
    let url = password.map { server.url("show", password: $0) } ?? server.url("show")
    let error = #expect(throws: SinkError.self) { try RTSPSink.opened(url, usual) }
    #expect(error?.kind == .refused)
    #expect(["password", "wrong"].map { error?.what.contains($0) } == [true, false])
  }

  @Test func `a name in use is refused, and free again when its publisher has left`() throws {
    let server = try RTSPRecorder(in: folder, isExclusive: true)
    let first = try RTSPSink.opened(server.url("show"), usual)
    let error = #expect(throws: SinkError.self) { try RTSPSink.opened(server.url("show"), usual) }
    #expect(error?.kind == .nameTaken)
    first.close(until: generousDeadline)
    #expect(server.waitFor("closed /show"))
    let second = try RTSPSink.opened(server.url("show"), usual)
    second.close(until: generousDeadline)
  }

  @Test(arguments: RTSPSink.Transport.allCases)
  func `a frozen server makes no progress until it thaws`(transport: RTSPSink.Transport) throws {
    let server = try RTSPRecorder(in: folder)
    let sink = try RTSPSink.opened(server.url("show"), usual, transport: transport)
    try sink.play(usual.packets.prefix(60))
    try sink.exchange { sink.health.isPeerAnswering }
    #expect(sink.health.isPeerAnswering)
    server.freeze()
    let frozenAt = MonotonicTime.now
    // What was under way may still be answered.
    try sink.exchange { sink.health.isWaitingForPeer && .now - sink.health.lastProgress > .seconds(1) }
    #expect(sink.health.isWaitingForPeer)
    let noticed = MonotonicTime.now - frozenAt
    #expect(noticed < .seconds(20), "noticed after \(noticed)")
    server.thaw()
    let thawedAt = MonotonicTime.now
    try sink.exchange { sink.health.lastProgress > thawedAt }
    #expect(sink.health.lastProgress > thawedAt)
    sink.close(until: generousDeadline)
  }

  @Test func `a frozen server does not block the sender`() throws {
    let server = try RTSPRecorder(in: folder)
    let sink = try RTSPSink.opened(server.url("show"), usual)
    try sink.play(usual.packets.prefix(30))
    server.freeze()
    let start = MonotonicTime.now
    let (long, sent) = (usual.looped(40), sink.health.bytesSent)
    for packet in long.packets.dropFirst(30) { try sink.send(packet) }
    #expect(MonotonicTime.now - start < .seconds(20))
    #expect(sink.backlog > 0)
    let size = long.packets.dropFirst(30).reduce(0) { $0 + $1.bytes.count }
    #expect(sink.health.bytesSent - sent > size)
    let closing = MonotonicTime.now
    sink.close(until: .now + .milliseconds(300))
    #expect(MonotonicTime.now - closing < .seconds(20))
    server.thaw()
  }

  @Test func `a killed server is reported as closed`() throws {
    let server = try RTSPRecorder(in: folder)
    let sink = try RTSPSink.opened(server.url("show"), usual)
    try sink.play(usual.packets.prefix(30))
    server.kill()
    let error = #expect(throws: SinkError.self) { try sink.exchange { false } }
    #expect(error?.kind == .closed)
  }

  @Test func `the server reports the loss rate`() throws {
    let media = usual.looped(3)
    let server = try RTSPRecorder(in: folder)
    let sink = try RTSPSink.opened(server.url("show"), media)
    var isTold = false
    for packet in media.packets where !isTold {
      try sink.play([packet])
      try sink.exchange(for: packet.duration.nanoseconds > 0 ? .milliseconds(10) : .zero) { false }
      isTold = sink.health.lossRate != nil
    }
    #expect(sink.health.lossRate == 0)
    sink.close(until: generousDeadline)
  }

  @Test func `a stream is published through TLS with a trusted certificate`() throws {
    let server = try RTSPRecorder(in: folder)
    let certificate = try TestCertificate(in: folder)
    let tunnel = try TLSTunnel(to: server.port, certificate, in: folder)
    let url = "rtsps://localhost:\(tunnel.port)/show"
    let refused = #expect(throws: SinkError.self) { try RTSPSink.opened(url, usual) }
    #expect(refused?.kind == .certificate)
    let sink = try RTSPSink.opened(
      url, usual, transport: .udp, tls: TLSSettings(caFile: certificate.authority))
    try sink.play(usual.packets)
    sink.close(until: generousDeadline)
    #expect(server.waitFor("closed /show"))
    let recorded = try RecordedPackets(#require(server.recordings("show").last))
    #expect(recorded.lacks(usual, video: 15, audio: 25) == [])
  }
}

extension RTSPRecorder {
  fileprivate func url(_ name: String, password: String) -> String {
    "rtsp://\(Self.user):\(password)@127.0.0.1:\(port)/\(name)"
  }
}
