import Foundation
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

@testable import HoldfastControl
@testable import HoldfastHTTP

/// Requests that no well-meaning client sends, over TCP to the real server.
@Suite(.longRealTime, .serialized) struct RawRequestTests {
  private static let good = "GET /v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n"
  private static let start =
    "POST /v1/start HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"

  private let server: TestServer

  init() throws { server = try Self.server(timeout: .milliseconds(500)) }

  private static func server(timeout: MediaTime) throws -> TestServer {
    var limits = HTTPLimits.tcp
    limits.timeout = timeout
    return try TestServer(tcp: "127.0.0.1:0", tcpLimits: limits)
  }

  private func requireLife(of server: TestServer) throws {
    let client = try server.connectTCP(sending: Self.good)
    try client.wait(for: TestServer.status)
  }

  @Test func `a request may come byte by byte`() throws {
    let server = try Self.server(timeout: .seconds(10))
    let client = try server.connectTCP()
    for byte in (Self.start + "Content-Length: 2\r\n\r\n{}" + Self.good).utf8 { client.send([byte]) }
    try client.wait(for: TestServer.status)
    #expect(server.received == [.start])
  }

  @Test func `requests may come all at once, and are answered in order`() throws {
    let server = try Self.server(timeout: .seconds(10))
    let both = Self.good + Self.start + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
    let client = try server.connectTCP(sending: String(repeating: both, count: 50))
    try client.wait(for: "HTTP/1.1 200", times: 100)
    #expect(server.received.count == 50)
  }

  @Test func `a client that has finished sending is answered`() throws {
    let server = try Self.server(timeout: .seconds(10))
    let client = try server.connectTCP(
      sending: "GET /v1/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    client.finishSending()
    #expect(client.rest().contains(TestServer.status))
  }

  @Test(arguments: [
    // Slow heads, slow bodies, and clients that send nothing.
    "", "G", "GET /v1/status HTTP/1.1\r\nHost: localhost\r\nX: ", start + "Content-Length: 50\r\n\r\n{",
    start + "Transfer-Encoding: chunked\r\n\r\n5\r\n{", start + "Transfer-Encoding: chunked\r\n\r\n",
  ])
  func `a client that sends slowly is disconnected in time and has no effect`(beginning: String) throws {
    let client = try server.connectTCP(sending: beginning)
    let began = MonotonicTime.now
    // A byte now and then does not help.
    while !client.hangsUp(within: .milliseconds(50)), .now - began < .seconds(20) {
      if !beginning.isEmpty { client.send(" ") }
    }
    #expect(.now - began < .seconds(20))
    #expect(server.received == [])
    try requireLife(of: server)
  }

  @Test(arguments: [
    (start + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
    (start + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n", 400),
    (start + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}", 400),
    (start + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 400),
    (start + "Host: localhost\r\n\r\n", 400), (start + "Content-Length: 70000\r\n\r\n", 413),
    ("POST /v1/start HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}", 415),
    (
      "GET /v1/status HTTP/1.1\r\nHost: localhost\r\n" + String(repeating: "X: y\r\n", count: 64) + "\r\n",
      431
    ),
    ("GET http://localhost/v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("GET /v1/status HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403),
    ("GET /v1/status HTTP/1.0\r\n\r\n", 403),
    ("OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("GET /?a=%zz HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("BREW /v1/start HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
    ("GET //v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
    ("GET /v1/../v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
    ("GET /v1/%2e%2e/v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
    ("POST /v1/%73tart HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
    ("POST /v1\\start HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
    ("GET /\(String(repeating: "x", count: 5000)) HTTP/1.1\r\nHost: localhost\r\n\r\n", 414),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "x", count: 50_000))\r\n\r\n", 431),
  ])
  func `a malformed or unusual request is refused without effect`(request: String, status: Int) throws {
    let text = try server.connectTCP(sending: request).rest()
    #expect(
      text.hasPrefix("HTTP/1.1 \(status) ") || text.hasPrefix("HTTP/1.0 \(status) "), "\(text.prefix(60))")
    #expect(server.received == [])
    try requireLife(of: server)
  }

  @Test func `bytes after a body with two lengths are not treated as a request`() throws {
    let client = try server.connectTCP(
      sending: Self.start + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + Self.start
        + "Content-Length: 0\r\n\r\n")
    _ = client.rest()
    #expect(server.received == [])
  }

  @Test func `a path with a zero byte is never served`() throws {
    for path in ["/v1/start\0", "/v1/start\0x", "/v1/st\0art", "\0/v1/start", "/v1/start\0 HTTP/1.1"] {
      let client = try server.connectTCP(sending: "POST \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(!client.rest().hasPrefix("HTTP/1.1 200"))
    }
    #expect(server.received == [])
    try requireLife(of: server)
  }

  @Test func `idle connections make room on a full port, and each address has a limit`() throws {
    var limits = HTTPLimits(connections: 20, timeout: .seconds(3600), timeoutWhenFull: .milliseconds(100))
    let server = try TestServer(tcp: "127.0.0.1:0", tcpLimits: limits)
    let idle = try (1...20).map { _ in try server.connectTCP() }
    let deadline = MonotonicTime.now + .seconds(20)
    // None of them is idle for long enough at first.
    while (try? requireLife(of: server)) == nil, .now < deadline {}
    #expect(idle[0].hangsUp())
    limits.connections = 100
    limits.connectionsPerAddress = 5
    let strict = try TestServer(tcp: "127.0.0.1:0", tcpLimits: limits)
    let first = try (1...5).map { _ in try strict.connectTCP() }
    for client in first {
      client.send(Self.good)
      try client.wait(for: TestServer.status)
    }
    #expect(try strict.connectTCP().hangsUp())
    #expect(try strict.client.status().isSuccess)
  }

  /// Requests, each with a few bytes changed, cut off, doubled or put elsewhere: always the same ones.
  private struct Mutations {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    private static let seeds = [
      RawRequestTests.good, RawRequestTests.start + "Content-Length: 2\r\n\r\n{}",
      RawRequestTests.start + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
      "GET /v1/status?a=%20b&c HTTP/1.1\r\nHost: [::1]:80\r\nOrigin: http://localhost\r\nAuthorization: Bearer a.b.c\r\n"
        + "Last-Event-ID: 0-1\r\n\r\n",
      "HEAD /v1/status HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\nExpect: 100-continue\r\n\r\n",
    ].map { Array($0.utf8) }
    private static let spice = [
      "\r\n", "\0", ":", " ", "%", "\r", "\n", "-1", "99999999999", "\u{FF}", "\t", "HTTP/1.1",
    ].map { Array($0.utf8) }

    private mutating func random(_ limit: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(max(1, limit)))
    }

    mutating func next() -> [UInt8] {
      var bytes = Self.seeds[random(Self.seeds.count)]
      for _ in 0...random(4) {
        let place = random(bytes.count)
        switch random(5) {
        case 0: bytes[place] = UInt8(random(256))
        case 1: bytes.insert(contentsOf: Self.spice[random(Self.spice.count)], at: place)
        case 2: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random(8)))
        case 3:
          bytes.insert(
            contentsOf: bytes[place..<min(bytes.count, place + random(40))], at: random(bytes.count))
        default: bytes.removeLast(random(bytes.count / 4))
        }
        if bytes.isEmpty { return [0] }
      }
      return bytes
    }
  }

  @Test func `three thousand corrupted requests do no harm`() throws {
    let server = try Self.server(timeout: .milliseconds(200))
    var mutations = Mutations()
    var answered = 0
    for round in 0..<60 {
      let clients = try (0..<50).map { _ in try server.connectTCP() }
      for client in clients {
        client.send(mutations.next())
        client.finishSending()
      }
      for client in clients {
        #expect(client.hangsUp(), "round \(round)")
        let text = client.text
        #expect(text.isEmpty || text.hasPrefix("HTTP/1."), "\(text.prefix(80))")
        if text.hasPrefix("HTTP/1.") { answered += 1 }
      }
    }
    #expect(answered > 1000)
    try requireLife(of: server)
  }
}
