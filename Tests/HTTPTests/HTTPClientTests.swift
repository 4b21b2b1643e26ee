import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastHTTP

@Suite struct HTTPClientTests {
  private static let timeout = MediaTime.seconds(30)
  private static let fine = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

  private let stop: Wakeup

  init() throws { stop = try Wakeup() }

  private func client(_ origin: HTTPOrigin, tls: TLSSettings = TLSSettings()) -> HTTPClient {
    HTTPClient(origin, tls: tls, stop: stop)
  }

  /// The response to one request.
  private func send(_ request: HTTPRequest, to server: HandlerServer) throws -> HTTPResponse {
    var client = client(try server.origin, tls: server.tls)
    return try client.send(request, within: Self.timeout)
  }

  /// The texts of the responses to some requests of one client, or of the errors.
  private func outcomes(
    of requests: [HTTPRequest], at origin: HTTPOrigin, isRepeatable: Bool = false,
    timeout: MediaTime = timeout
  ) -> [String] {
    var client = client(origin)
    var outcomes: [String] = []
    for request in requests {
      do {
        outcomes.append(try client.send(request, isRepeatable: isRepeatable, within: timeout).text)
      } catch {
        outcomes.append(error.kind.rawValue)
      }
    }
    return outcomes
  }

  private static let get = HTTPRequest("GET", "/a")
  private static let post = HTTPRequest("POST", "/a", body: ["x": .integer(1)])

  // MARK: The server of this module

  @Test(arguments: [nil, .valid] as [TestCertificate.Kind?])
  func `a request reaches the server with all that it carries`(certificate: TestCertificate.Kind?) throws {
    let server = try HandlerServer(certificate: certificate, .json(["a": .integer(1)], status: 201))
    var request = HTTPRequest("POST", "/v1/%C3%A4", query: ["n": "1"], body: ["x": .text("ä")])
    request.bearer = "abc.def"
    request.lease = "1.2.mac"
    request.lastEventID = "7-1"
    let response = try send(request, to: server)
    #expect(response.status == 201 && response.json == ["a": .integer(1)])
    #expect(response.contentType == "application/json")
    let received = try #require(server.received.first)
    request.peer = received.peer
    #expect(received == request)
  }

  @Test(arguments: [nil, .valid] as [TestCertificate.Kind?])
  func `a long response arrives whole, and the connection is used again`(
    certificate: TestCertificate.Kind?
  ) throws {
    let text = String(repeating: "0123456789abcdef", count: 65_536)
    let body = HTTPResponse(contentType: "text/plain", body: Array(text.utf8))
    // A second handshake is refused.
    let limits = HTTPLimits(
      connections: 16, connectionsPerAddress: 16, handshakes: 1, handshakeInterval: .seconds(60))
    let server = try HandlerServer(certificate: certificate, limits: limits) { _ in .immediate(body) }
    var client = client(try server.origin, tls: server.tls)
    for _ in 0..<3 {
      let response = try client.send(Self.get, within: Self.timeout)
      #expect(response.bytes.count == 1_048_576 && response.text == text)
    }
  }

  @Test func `a server's refusal is a response with its error`() throws {
    let error = APIError(503, "storeAway", "no store", hint: "wait", retryAfter: .seconds(3))
    let server = try HandlerServer(HTTPResponse(error))
    #expect(try send(Self.get, to: server).error == error)
  }

  @Test func `a body that the server takes no more of gets the server's answer`() throws {
    let text = String(repeating: "x", count: 4 << 20)
    let response = try send(HTTPRequest("POST", "/a", body: .text(text)), to: HandlerServer(.ok()))
    #expect(response.status == 413)
  }

  @Test(
    arguments: [
      (.selfSigned, "is self-signed"), (.expired, "has expired"),
      (.otherName, "is for a host other than localhost"),
    ] as [(TestCertificate.Kind, String)])
  func `a certificate that can't be trusted is refused`(kind: TestCertificate.Kind, reason: String) throws {
    let server = try HandlerServer(certificate: kind, .ok())
    var client = client(try server.origin, tls: kind == .selfSigned ? TLSSettings() : server.tls)
    let error = failure { () throws(HTTPClientError) in try client.send(Self.get, within: Self.timeout) }
    #expect(
      error?.kind == .tls && error?.hint != nil && error?.what.contains(reason) == true, "\(error as Any)")
    #expect(server.received == [])
  }

  // MARK: Other servers

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok",
    "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok",
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and more",
  ])
  func `a connection that can't be kept is not used again`(first: String) throws {
    let wrong = Self.fine.replacing("ok", with: "no")
    let server = try ScriptedServer([[.text(first), .text(wrong)], [.text(Self.fine)]])
    var client = client(try server.origin)
    _ = try client.send(Self.get, within: Self.timeout)
    let text = try client.send(Self.post, within: Self.timeout).text
    #expect(text == "ok" && server.connections == 2)
  }

  @Test func `a connection closed between requests costs nothing, even for what may not be repeated`() throws
  {
    let server = try ScriptedServer([[.text(Self.fine)], [.text(Self.fine)]])
    var client = client(try server.origin)
    _ = try client.send(Self.post, within: Self.timeout)
    #expect(eventually { server.ended == 1 })
    let text = try client.send(Self.post, within: Self.timeout).text
    #expect(text == "ok" && server.requests.count == 2)
  }

  private static let ok = ScriptedServer.Answer.text(fine)
  private static let end = ScriptedServer.Answer.end

  @Test(
    arguments: [
      // Requests share a connection.
      ([[ok, ok, ok]], [get, post, get], false, ["ok", "ok", "ok"], 3),
      // On a kept connection that ends without an answer, GET is sent once more, POST only if the caller says so.
      ([[ok, end], [ok]], [get, get], false, ["ok", "ok"], 3),
      ([[ok, end], [ok]], [post, post], false, ["ok", "invalidResponse"], 2),
      ([[ok, end], [ok]], [post, post], true, ["ok", "ok"], 3),
      // Only once, and never on a new connection.
      ([[ok, end], [end], [ok]], [get, get], false, ["ok", "invalidResponse"], 3),
      // A response that has begun is not asked for again.
      ([[ok, .text("HTTP/1.1 2")], [ok]], [get, get], false, ["ok", "invalidResponse"], 2),
    ] as [([[ScriptedServer.Answer]], [HTTPRequest], Bool, [String], Int)])
  func `requests share a connection, and are sent once more where that does no harm`(
    script: [[ScriptedServer.Answer]], requests: [HTTPRequest], isRepeatable: Bool, expected: [String],
    count: Int
  ) throws {
    let server = try ScriptedServer(script)
    #expect(outcomes(of: requests, at: try server.origin, isRepeatable: isRepeatable) == expected)
    // A request that is sent once more is so on a new connection.
    #expect((server.requests.count, server.connections) == (count, 1 + count - requests.count))
  }

  @Test func `the time limit is for the whole request, however slowly a server drips`() throws {
    let server = try ScriptedServer([[.drip(String(repeating: Self.fine, count: 100))]])
    let long = "HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n"
    let dripping = try ScriptedServer([[.drip(long + String(repeating: "x", count: 9000))]])
    #expect(outcomes(of: [Self.get], at: try dripping.origin, timeout: .milliseconds(400)) == ["timedOut"])
    #expect(outcomes(of: [Self.get], at: try server.origin) == ["ok"])
  }

  @Test func `a silent server times out`() throws {
    let server = try ScriptedServer([[.silence]])
    let began = MonotonicTime.now
    #expect(outcomes(of: [Self.get], at: try server.origin, timeout: .milliseconds(200)) == ["timedOut"])
    #expect(MonotonicTime.now - began < .seconds(20))
  }

  @Test(arguments: [
    (Self.chunked("ok"), "ok"), ("HTTP/1.1 100 Continue\r\n\r\n" + fine, "ok"),
    ("HTTP/1.1 200 OK\r\nContent-Length: 2000000\r\n\r\n", "invalidResponse"),
    ("220 mail.example ESMTP\r\n", "invalidResponse"), ("HTTP/1.1 200 OK\r\n\r\nok", "invalidResponse"),
  ])
  func `any server's response is read with care`(text: String, outcome: String) throws {
    let server = try ScriptedServer([[.text(text)]])
    #expect(outcomes(of: [Self.get], at: try server.origin) == [outcome])
  }

  private static func chunked(_ text: String) -> String {
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(text.utf8.count)\r\n\(text)\r\n0\r\n\r\n"
  }

  @Test(
    arguments: [
      ("https://other.example/x?token=1", "redirects to https://other.example"),
      ("/elsewhere", "redirects to another path"), ("ftp://x/", "redirects to an address of another kind"),
    ] as [(String, String)])
  func `a redirection is not followed, and its origin is named`(location: String, reason: String) throws {
    let server = try ScriptedServer(
      [[.text("HTTP/1.1 307 Moved\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")]])
    var client = client(try server.origin)
    let error = failure { () throws(HTTPClientError) in try client.send(Self.get, within: Self.timeout) }
    #expect(error?.kind == .invalidResponse && server.requests.count == 1)
    #expect(error?.what == "http://127.0.0.1:\(server.port): the server \(reason)")
  }

  @Test func `a port without a server can't be connected to`() throws {
    let port = try LoopbackPort()
    #expect(
      outcomes(of: [Self.get], at: try HTTPOrigin("http://127.0.0.1:\(port.number)")) == ["cannotConnect"])
  }

  @Test func `a request is stopped at once from another thread, and so are later ones`() throws {
    let server = try ScriptedServer([[.silence]])
    let thread = try WorkerThread(name: "stopper") { [stop] in
      _ = eventually { server.requests.count == 1 }
      stop.signal()
    }
    let began = MonotonicTime.now
    #expect(outcomes(of: [Self.get, Self.get], at: try server.origin) == ["stopped", "stopped"])
    thread.join()
    #expect(MonotonicTime.now - began < .seconds(25))
  }

  @Test func `what would be another header is not sent, and not shown`() throws {
    let server = try ScriptedServer([[.text(Self.fine)]])
    var request = Self.get
    request.bearer = "secret\r\nX: y"
    var client = client(try server.origin)
    let error = failure { () throws(HTTPClientError) in try client.send(request, within: Self.timeout) }
    #expect((error?.kind, error?.description.contains("secret")) == (.invalidRequest, false))
    #expect(server.requests == [])
  }
}
