import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

@testable import HoldfastPublishing

/// The sink against servers that mean harm.
@Suite(.realTime) struct HostileRTSPServerTests {
  private let media: EncodedMedia

  init() throws { media = try EncodedMedia.usual.get().looped(60) }

  /// What ends the connection while media is sent as fast as the server takes it.
  private func failure(_ habit: HostileRTSPServer.Habit) throws -> SinkError? {
    let server = try HostileRTSPServer(habit)
    defer { server.stop() }
    let (end, wakeup) = (MonotonicTime.now + .seconds(20), try Wakeup())
    var packets = media.packets[...]
    return #expect(throws: SinkError.self) {
      let sink = try RTSPSink.opened(server.url, media)
      while .now < end {
        if sink.backlog < 64 << 10, let packet = packets.popFirst() { try sink.send(packet) }
        try sink.exchange(until: .now + .milliseconds(2), wakeup: wakeup)
        #expect(sink.backlog < 1 << 20)
      }
    }
  }

  @Test(arguments: [HostileRTSPServer.Habit.floodsRequests, .floodsHeader])
  func `a server that floods the connection is left`(habit: HostileRTSPServer.Habit) throws {
    #expect(try failure(habit)?.kind == .violated)
  }

  @Test func `a server that answers what it has not read does not count as alive`() throws {
    #expect(try failure(.fakesAnswers)?.kind == .violated)
  }
}
