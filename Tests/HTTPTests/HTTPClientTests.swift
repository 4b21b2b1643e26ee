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

  private let get = HTTPRequest("GET", "/a")
  private let post = HTTPRequest("POST", "/a", body: ["x": .integer(1)])

  // MARK: The server of this module

  @Test(arguments: [nil, .valid] as [TestCertificate.Kind?])
  func `a request reaches the server with all that it carries`(certificate: TestCertificate.Kind?) throws {
    let server = try HandlerServer(certificate: certificate, .json(["a": .integer(1)], status: 201))
    var client = client(try server.origin, tls: server.tls)
    var request = HTTPRequest("POST", "/v1/%C3%A4", query: ["n": "1"], body: ["x": .text("ä")])
    request.bearer = "abc.def"
    request.lease = "1.2.mac"
    request.lastEventID = "7-1"
    let response = try client.send(request, within: Self.timeout)
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
      let response = try client.send(get, within: Self.timeout)
      #expect(response.bytes.count == 1_048_576 && response.text == text)
    }
  }

  @Test func `a server's refusal is a response with its error`() throws {
    let error = APIError(503, "storeAway", "no store", hint: "wait", retryAfter: .seconds(3))
    let server = try HandlerServer(HTTPResponse(error))
    var client = client(try server.origin)
    let response = try client.send(get, within: Self.timeout)
    #expect(response.error == error)
  }

  @Test func `a body that the server takes no more of gets the server's answer`() throws {
    let server = try HandlerServer(.ok())
    var client = client(try server.origin)
    let text = String(repeating: "x", count: 4 << 20)
    let response = try client.send(HTTPRequest("POST", "/a", body: .text(text)), within: Self.timeout)
    #expect(response.status == 413)
  }

  @Test(
    arguments: [
      (.selfSigned, "is signed by an authority"), (.expired, "has expired"),
      (.otherName, "is for a host other than localhost"),
    ] as [(TestCertificate.Kind, String)])
  func `a certificate that can't be trusted is refused`(kind: TestCertificate.Kind, reason: String) throws {
    let server = try HandlerServer(certificate: kind, .ok())
    var client = client(try server.origin, tls: kind == .selfSigned ? TLSSettings() : server.tls)
    do {
      _ = try client.send(get, within: Self.timeout)
      Issue.record("accepted")
    } catch {
      #expect(error.kind == .tls && error.hint != nil)
      #expect(error.what.contains(kind == .selfSigned ? "is self-signed" : reason))
    }
    #expect(server.received == [])
  }

  // MARK: Other servers

  @Test func `requests share a connection`() throws {
    let server = try ScriptedServer([[.text(Self.fine), .text(Self.fine), .text(Self.fine)]])
    #expect(outcomes(of: [get, post, get], at: try server.origin) == ["ok", "ok", "ok"])
    #expect(server.connections == 1)
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok",
    "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok",
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and more",
  ])
  func `a connection that can't be kept is not used again`(first: String) throws {
    let wrong = Self.fine.replacing("ok", with: "no")
    let server = try ScriptedServer([[.text(first), .text(wrong)], [.text(Self.fine)]])
    var client = client(try server.origin)
    _ = try client.send(get, within: Self.timeout)
    let text = try client.send(post, within: Self.timeout).text
    #expect(text == "ok" && server.connections == 2)
  }

  @Test func `a connection closed between requests costs nothing, even for what may not be repeated`() throws
  {
    let server = try ScriptedServer([[.text(Self.fine)], [.text(Self.fine)]])
    var client = client(try server.origin)
    _ = try client.send(post, within: Self.timeout)
    #expect(eventually { server.ended == 1 })
    let text = try client.send(post, within: Self.timeout).text
    #expect(text == "ok" && server.requests.count == 2)
  }

  @Test func `on a kept connection that ends without an answer, GET is sent once more`() throws {
    let server = try ScriptedServer([[.text(Self.fine), .end], [.text(Self.fine)]])
    #expect(outcomes(of: [get, get], at: try server.origin) == ["ok", "ok"])
    #expect(server.connections == 2 && server.requests.count == 3)
  }

  @Test(arguments: [(false, ["ok", "invalidResponse"], 2), (true, ["ok", "ok"], 3)])
  func `POST is sent once more only if the caller says so`(
    isRepeatable: Bool, expected: [String], requests: Int
  ) throws {
    let server = try ScriptedServer([[.text(Self.fine), .end], [.text(Self.fine)]])
    #expect(outcomes(of: [post, post], at: try server.origin, isRepeatable: isRepeatable) == expected)
    #expect(server.requests.count == requests)
  }

  @Test func `a request is sent once more only once, and never on a new connection`() throws {
    let server = try ScriptedServer([[.text(Self.fine), .end], [.end], [.text(Self.fine)]])
    #expect(outcomes(of: [get, get], at: try server.origin) == ["ok", "invalidResponse"])
    #expect(server.requests.count == 3)
  }

  @Test func `a response that has begun is not asked for again`() throws {
    let server = try ScriptedServer([[.text(Self.fine), .text("HTTP/1.1 2")], [.text(Self.fine)]])
    #expect(outcomes(of: [get, get], at: try server.origin) == ["ok", "invalidResponse"])
    #expect(server.requests.count == 2)
  }

  @Test func `the time limit is for the whole request, however slowly a server drips`() throws {
    let server = try ScriptedServer([[.drip(String(repeating: Self.fine, count: 100))]])
    let long = "HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n"
    let dripping = try ScriptedServer([[.drip(long + String(repeating: "x", count: 9000))]])
    #expect(outcomes(of: [get], at: try dripping.origin, timeout: .milliseconds(400)) == ["timedOut"])
    #expect(outcomes(of: [get], at: try server.origin) == ["ok"])
  }

  @Test func `a silent server times out`() throws {
    let server = try ScriptedServer([[.silence]])
    let began = MonotonicTime.now
    #expect(outcomes(of: [get], at: try server.origin, timeout: .milliseconds(200)) == ["timedOut"])
    #expect(MonotonicTime.now - began < .seconds(20))
  }

  @Test(arguments: [
    (Self.chunked("ok"), "ok"), ("HTTP/1.1 100 Continue\r\n\r\n" + fine, "ok"),
    ("HTTP/1.1 200 OK\r\nContent-Length: 2000000\r\n\r\n", "invalidResponse"),
    ("220 mail.example ESMTP\r\n", "invalidResponse"), ("HTTP/1.1 200 OK\r\n\r\nok", "invalidResponse"),
  ])
  func `any server's response is read with care`(text: String, outcome: String) throws {
    let server = try ScriptedServer([[.text(text)]])
    #expect(outcomes(of: [get], at: try server.origin) == [outcome])
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
    let error = failure { () throws(HTTPClientError) in try client.send(get, within: Self.timeout) }
    #expect(error?.kind == .invalidResponse)
    #expect(error?.what == "http://127.0.0.1:\(server.port): the server \(reason)")
    #expect(server.requests.count == 1)
  }

  @Test func `a port without a server can't be connected to`() throws {
    let port = try LoopbackPort()
    #expect(outcomes(of: [get], at: try HTTPOrigin("http://127.0.0.1:\(port.number)")) == ["cannotConnect"])
  }

  @Test func `a request is stopped at once from another thread, and so are later ones`() throws {
    let server = try ScriptedServer([[.silence]])
    let thread = try WorkerThread(name: "stopper") { [stop] in
      _ = eventually { server.requests.count == 1 }
      stop.signal()
    }
    let began = MonotonicTime.now
    #expect(outcomes(of: [get, get], at: try server.origin) == ["stopped", "stopped"])
    thread.join()
    #expect(MonotonicTime.now - began < .seconds(25))
  }

  @Test func `what would be another header is not sent, and not shown`() throws {
    let server = try ScriptedServer([[.text(Self.fine)]])
    var request = get
    request.bearer = "secret\r\nX: y"
    var client = client(try server.origin)
    let error = failure { () throws(HTTPClientError) in try client.send(request, within: Self.timeout) }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.description.contains("secret") == false)
    #expect(server.requests == [])
  }
}
