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
    return #expect(throws: SinkError.self) {
      let sink = try RTSPSink.opened(server.url, media)
      try sink.send(media, for: .seconds(20)) {
        #expect(sink.backlog < 1 << 20)
        return false
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
