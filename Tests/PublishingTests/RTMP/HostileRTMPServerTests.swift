import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRTMP
import TestSupport
import TestTraits
import Testing

@testable import HoldfastPublishing

/// The sink against servers that mean harm.
@Suite(.realTime) struct HostileRTMPServerTests {
  private let media: EncodedMedia

  init() throws { media = try EncodedMedia.usual.get().looped(30) }

  private func opened(_ server: HostileRTMPServer) throws -> RTMPSink {
    let sink = RTMPSink(try RTMPURL(server.url), tls: TLSSettings())
    try sink.open(
      PublishRequest(type: .live, tracks: media.tracks), until: generousDeadline, stop: try Wakeup())
    return sink
  }

  @Test(arguments: [HostileRTMPServer.Habit.floodsPings, .floodsBandwidths, .floodsWindows])
  func `a server that asks without end and reads nothing is left before its answers fill the memory`(
    habit: HostileRTMPServer.Habit
  ) throws {
    let server = try HostileRTMPServer(habit)
    var sink: RTMPSink?
    // A slow machine is asked too much before it has published.
    let error = #expect(throws: SinkError.self) {
      let opened = try opened(server)
      sink = opened
      try opened.send(media, for: .seconds(100))
    }
    #expect(error?.kind == .violated)
    #expect(sink.map { $0.backlog < 1 << 20 } ?? true)
    server.stop()
  }

  @Test func `a server that reads nothing and fakes acknowledgements and pongs makes no progress`() throws {
    let server = try HostileRTMPServer(.fakesProgress)
    let sink = try opened(server)
    var isStuck: Bool { sink.health.isWaitingForPeer && .now - sink.health.lastProgress > .seconds(3) }
    try sink.send(media, for: .seconds(100)) { isStuck }
    #expect(isStuck)
    server.stop()
  }
}
