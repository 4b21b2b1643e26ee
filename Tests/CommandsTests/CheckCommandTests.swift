import HoldfastMediaModel
import TestSupport
import TestTraits
import Testing

@testable import HoldfastBroadcastCommands

@Suite(.realTime) struct CheckCommandTests {
  @Test(
    arguments: [
      (.never, 0), (.closed(after: .milliseconds(300)), 77), (.reset(after: .milliseconds(1500)), 69),
    ] as [(ScriptedRTMPServer.End, Int32)])
  func `the exit status says how a publish that is measured ends`(
    end: ScriptedRTMPServer.End, status: Int32
  ) throws {
    let server = try ScriptedRTMPServer(end)
    #expect(try CheckCommand([server.url, "--measure-upload"], environment: [:]).run() == status)
  }
}
