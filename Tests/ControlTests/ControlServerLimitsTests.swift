import Foundation
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

@testable import HoldfastControl
@testable import HoldfastHTTP

@Suite(.realTime) struct ControlServerLimitsTests {
  private static let limit = HTTPLimits.unix.bodySize
  private static let json = ["-H", "Content-Type: application/json"]
  private static let chunked = ["-H", "Transfer-Encoding: chunked"]

  @Test(
    arguments: [
      (limit, []), (limit, chunked), (limit + 1, []), (10_000_000, []), (limit + 1, chunked),
      (10_000_000, chunked), (10_000_000, ["-H", "Expect:"]),
    ])
  func `a body up to the limit is accepted, and a longer one is refused without effect`(
    size: Int, options: [String]
  ) throws {
    let server = try TestServer()
    let folder = ScratchFolder()
    let body = "@" + (try folder.write("{}" + String(repeating: " ", count: size - 2), to: "body"))
    let send = { try server.curl("/v1/start", Self.json + ["--data-binary", body] + options) }
    if size <= Self.limit {
      #expect(try send().status == 200)
      #expect(server.received == [.start])
    } else {
      // A client that sends without waiting for "100 Continue" may be cut off before it reads the answer.
      let answer = options == ["-H", "Expect:"] ? try? send() : try send()
      #expect(answer.map { $0.refusal == "413 tooLong" } ?? true)
      #expect(server.received == [])
      #expect(try server.client.status().text == TestServer.status + "\n")
    }
  }

  @Test(arguments: [
    "\r\n\r\n", "GET\r\n\r\n", "GET /v1/status\r\n\r\n", "GET /v1/status HTTP/9.9\r\n\r\n",
    "\u{0}\u{1}\u{2}\r\n\r\n",
    "POST /v1/start HTTP/1.1\r\n\r\n", "POST /v1/start HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
    "POST /v1/start HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n",
    "POST /v1/start HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
    "POST /v1/start HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "POST /v1/start HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
    "POST /v1/start HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 100_000))\r\n\r\n",
    "POST /\(String(repeating: "x", count: 100_000)) HTTP/1.1\r\nHost: a\r\n\r\n",
    "POST /v1/start HTTP/1.1\r\nHost: a\r\n\(String(repeating: "X: y\r\n", count: 20_000))\r\n",
  ])
  func `bytes that are not a request have no effect, and others are still served`(request: String) throws {
    let server = try TestServer(limits: HTTPLimits(timeout: .milliseconds(300)))
    let connection = try server.connect()
    try? connection.send(Array(request.utf8), until: .now + .seconds(30))
    let answer = (try? connection.rest()) ?? ""
    #expect(!answer.hasPrefix("HTTP/1.1 200"))
    #expect(server.received == [])
    #expect(try server.client.status().text == TestServer.status + "\n")
  }

  @Test func `a client that sends slowly is disconnected in time while others are served`() throws {
    let server = try TestServer(limits: HTTPLimits(timeout: .milliseconds(500)))
    let connection = try server.connect()
    let began = MonotonicTime.now
    var served = 0
    for byte in "GET /v1/status HTTP/1.1\r\nX: ".utf8 + [UInt8](repeating: 0x78, count: 10_000) {
      guard (try? connection.send([byte], until: .now + .seconds(30))) != nil else { break }
      #expect(try server.client.status().isSuccess)
      served += 1
      Thread.sleep(forTimeInterval: 0.005)
    }
    #expect(try connection.rest() == "")
    #expect(served > 0 && served < 10_000)
    #expect(.now - began >= .milliseconds(450))
  }

  @Test func `a client that stays silent after an answer is disconnected, too`() throws {
    let server = try TestServer(limits: HTTPLimits(timeout: .milliseconds(300)))
    let connection = try server.connect()
    try connection.send(Array("GET /v1/status HTTP/1.1\r\nHost: a\r\n\r\n".utf8), until: .now + .seconds(30))
    #expect(try connection.rest().hasSuffix(TestServer.status + "\n"))
  }

  @Test func `idle connections make room when the server is full`() throws {
    let server = try TestServer(
      limits: HTTPLimits(connections: 2, timeout: .seconds(3600), timeoutWhenFull: .milliseconds(200)))
    let first = try server.connect()
    let second = try server.connect()
    #expect(try server.client.status().isSuccess)
    #expect(try first.rest() == "")
    // The second has ended as well, or does now that the server is full again.
    let third = try server.connect()
    #expect(try server.client.status().isSuccess)
    #expect(try second.rest() == "")
    withExtendedLifetime(third) {}
  }

  @Test func `two hundred simultaneous requests are all answered`() throws {
    let server = try TestServer()
    let output = try Tool.run([
      "curl", "-sS", "--parallel", "--parallel-immediate", "--parallel-max", "200", "--unix-socket",
      server.path, "--max-time", "60", "-X", "POST", "-o", "/dev/null", "-w", "%{http_code}\n",
      "http://localhost/v1/start?[1-200]",
    ])
    #expect(output == String(repeating: "200\n", count: 200))
    #expect(server.received.count == 200)
  }

  @Test func `connections leave no descriptors behind`() throws {
    let server = try TestServer()
    func descriptors() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        return target?.hasPrefix("socket:") == true
      }.count
    }
    for _ in 0..<300 { _ = try server.client.status() }
    // Other tests open many sockets, but not for long.
    #expect(try eventually { try descriptors() < 250 })
  }
}
