import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

@testable import HoldfastControl
@testable import HoldfastHTTP

/// Who is served while others do all they can against it.
@Suite(.realTime) struct RequestsUnderAttackTests {
  private let folder = ScratchFolder()

  private struct Greeting: HTTPHandler {
    func handle(_ request: HTTPRequest) -> Reply {
      .immediate(HTTPResponse(contentType: "text/plain", body: Array("hello\n".utf8)))
    }
  }

  /// Requests of each lane wait until they are let go.
  private struct Waiting: HTTPHandler {
    let isOver = Locked(false)

    func handle(_ request: HTTPRequest) -> Reply {
      let lane: Reply.Lane = request.method == "GET" ? .others : .commands
      return .deferred(lane) {
        while lane == .others, !isOver.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.01) }
        return .ok()
      }
    }
  }

  @Test func `an address that fills a full server makes room for another at once`() throws {
    let server = try TestServer(
      tcp: "127.0.0.1:0", tcpLimits: HTTPLimits(connections: 20, timeoutWhenFull: .seconds(3600)),
      handler: Greeting())
    let port = try #require(server.listener).port
    let crowd = try (0..<20).map { _ in try WireClient(port: port, from: "127.0.0.9") }
    #expect(eventually { (try? WireClient(port: port, from: "127.0.0.9").hangsUp()) == true })
    for _ in 0..<5 {
      let host = try WireClient(port: port)
      #expect(host.request("GET", "/", token: nil, within: 60)?.status == 200)
    }
    #expect(crowd.count { $0.isHungUp } >= 1)
  }

  @Test func `an address has so many handshakes, and another is not affected`() throws {
    let certificate = try TestCertificate(in: folder)
    let server = try TestServer(
      tcp: "127.0.0.1:0", tcpLimits: HTTPLimits(handshakes: 5, handshakeInterval: .seconds(3600)),
      identity: certificate.identity(), handler: Greeting())
    func isServed(_ address: String) -> Bool {
      let options = ["--cacert", certificate.authority, "--interface", address]
      return (try? server.curlTCP("/", options))?.status == 200
    }
    #expect((0..<8).map { _ in isServed("127.0.0.9") } == (0..<8).map { $0 < 5 })
    #expect(isServed("127.0.0.1"))
  }

  @Test func `requests of watchers that wait do not hold up a command`() throws {
    let waiting = Waiting()
    let server = try TestServer(tcp: "127.0.0.1:0", handler: waiting)
    let watchers = try (0..<20).map { _ in try server.connectTCP() }
    for watcher in watchers { watcher.get("/v1/sources") }
    #expect(try server.connectTCP().request("POST", "/v1/interrupt", token: nil)?.status == 200)
    waiting.isOver.withLock { $0 = true }
    #expect(watchers.allSatisfy { $0.response()?.status == 200 })
  }

  @Test(arguments: [true, false])
  func `browsers are told to insist on TLS only on request`(isRequested: Bool) throws {
    let certificate = try TestCertificate(in: folder)
    let server = try TestServer(
      tcp: "127.0.0.1:0", identity: certificate.identity(), sendsHSTS: isRequested, handler: Greeting())
    let answer = try server.curlTCP("/", ["--cacert", certificate.authority])
    #expect(answer.headers["strict-transport-security"] == (isRequested ? "max-age=31536000" : nil))
  }
}
