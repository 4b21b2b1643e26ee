import Foundation
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastControl
@testable import HoldfastHTTP

@Suite struct ControlClientTests {
  private let scratch = ScratchFolder()

  private func kind(_ client: ControlClient) -> HTTPClientError.Kind? {
    failure { () throws(HTTPClientError) in try client.status() }?.kind
  }

  @Test func `a response has its JSON, and an error its code`() throws {
    let server = try TestServer { _ in .refused(.isOver, .ended(.stopped)) }
    #expect(try server.client.status().json?.field("state")?.text == "live")
    let refused = try server.client.send(.resume)
    let expected = APIError(
      409, "notPossible", "resume is not possible while ended", hint: "start holdfast again")
    #expect(refused.status == 409)
    #expect(refused.error == expected)
  }

  @Test func `a socket without a listener counts as no running broadcast`() throws {
    #expect(kind(ControlClient(path: scratch.file("a.sock"))) == .cannotConnect)
    _ = try scratch.write("", to: "b.sock")
    #expect(kind(ControlClient(path: scratch.file("b.sock"))) == .cannotConnect)
  }

  @Test func `a broadcast that does not answer times out`() throws {
    let listener = try UnixListener("a.sock", in: PrivateFolder(scratch.path))
    let began = MonotonicTime.now
    #expect(kind(ControlClient(path: listener.path, timeout: .milliseconds(300))) == .timedOut)
    let took = MonotonicTime.now - began
    #expect(took >= .milliseconds(300) && took < .seconds(20))
  }

  @Test func `a listener that accepts no connections times out`() throws {
    let listener = try UnixListener("a.sock", in: PrivateFolder(scratch.path), backlog: 0)
    let waiting = try UnixConnection(listener.path, until: .now + .seconds(5))
    #expect(kind(ControlClient(path: listener.path, timeout: .milliseconds(300))) == .timedOut)
    #expect(waiting.peer.process == getpid())
  }
}
