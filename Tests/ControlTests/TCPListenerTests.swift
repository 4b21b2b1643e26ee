import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

@testable import HoldfastControl
@testable import HoldfastHTTP

/// The server's TCP ports, with and without TLS.
@Suite(.realTime) struct TCPListenerTests {
  private let folder = ScratchFolder()

  /// Answers with who asks.
  private struct Echo: HTTPHandler {
    func handle(_ request: HTTPRequest) -> Reply {
      let peer =
        switch request.peer {
        case .local: "local"
        case .remote(let address, let isSameUser): "\(address) \(isSameUser)"
        }
      let text = "\(peer) \(request.bearer ?? "-") \(request.query["a"] ?? "-")\n"
      return .immediate(HTTPResponse(contentType: "text/plain", body: Array(text.utf8)))
    }
  }

  @Test(arguments: ["127.0.0.1:0", "localhost:0", "0.0.0.0:0"])
  func `a request over TCP carries its address and its user`(address: String) throws {
    let server = try TestServer(tcp: address, handler: Echo())
    let port = try #require(server.listener).port
    let answer = try TestServer.curl("http://127.0.0.1:\(port)/x?a=b", ["-H", "Authorization: Bearer abc"])
    #expect(answer.body == "127.0.0.1 true abc b\n")
    #expect(try server.curl("/x").body == "local - -\n")
  }

  @Test func `a listener knows whether it is on the loopback interface`() throws {
    #expect(try TCPListener(HostAndPort("127.0.0.1:0")).isLoopback)
    #expect(try TCPListener(HostAndPort("localhost:0")).isLoopback)
    #expect(try !TCPListener(HostAndPort("0.0.0.0:0")).isLoopback)
  }

  @Test func `a port in use is a clear error`() throws {
    let listener = try TCPListener(HostAndPort("127.0.0.1:0"))
    let address = "127.0.0.1:\(listener.port)"
    #expect { try TCPListener(HostAndPort(address)) } throws: {
      "\($0)" == "\(address): the address is already in use; choose another port"
    }
  }

  @Test func `an unknown host is a clear error`() {
    #expect(throws: InvalidValue.self) { try TCPListener(HostAndPort("192.0.2.77:0")) }
    #expect(throws: InvalidValue.self) { try TCPListener(HostAndPort("no-such-host.invalid:0")) }
  }

  @Test func `a listener's port is free at once after its stop`() throws {
    let server = try TestServer(tcp: "127.0.0.1:0", handler: Echo())
    let port = try #require(server.listener).port
    #expect(try server.curlTCP("/x").status == 200)
    server.server.stop()
    #expect(throws: TestFailure.self) { try WireClient(port: port) }
    #expect(try TCPListener(HostAndPort("127.0.0.1:\(port)")).port == port)
  }

  @Test(arguments: [
    ("Host: evil.example", "wrongHost"), ("Origin: http://evil.example", "crossOrigin"),
    ("Origin: null", "crossOrigin"), ("Sec-Fetch-Site: cross-site", "crossOrigin"),
  ])
  func `a browser's request for a foreign page is refused`(header: String, code: String) throws {
    let server = try TestServer(tcp: "127.0.0.1:0")
    for (path, method) in [("/v1/status", "GET"), ("/v1/start", "POST")] {
      let answer = try server.curlTCP(path, ["-X", method, "-H", header])
      #expect(answer.refusal == "403 \(code)")
    }
    #expect(server.received == [])
  }

  @Test func `our own page may send requests`() throws {
    let server = try TestServer(tcp: "127.0.0.1:0")
    let origin = try #require(server.listener).url.dropLast()
    let answer = try server.curlTCP(
      "/v1/start", ["-X", "POST", "-H", "Origin: \(origin)", "-H", "Sec-Fetch-Site: same-origin"])
    #expect(answer.status == 200)
  }

  @Test func `every answer keeps browsers from sniffing, framing and caching it`() throws {
    let server = try TestServer(tcp: "127.0.0.1:0")
    for target in ["/v1/status", "/nowhere"] {
      let headers = try server.curlTCP(target).headers
      #expect(headers["cache-control"] == "no-store")
      #expect(headers["x-content-type-options"] == "nosniff")
      #expect(headers["referrer-policy"] == "no-referrer")
      #expect(headers["x-frame-options"] == "DENY")
      #expect(headers["content-security-policy"] == nil)
    }
  }

  private struct Page: HTTPHandler {
    func handle(_ request: HTTPRequest) -> Reply {
      .immediate(HTTPResponse(contentType: "text/html; charset=utf-8", body: []))
    }
  }

  @Test func `a page may load nothing but what we serve`() throws {
    let policy = try TestServer(handler: Page()).curl("/").headers["content-security-policy"] ?? ""
    #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; "))
    #expect(!policy.contains("unsafe"))
  }

  // MARK: TLS

  @Test func `a listener with a certificate speaks only TLS 1.2 or newer`() throws {
    let certificate = try TestCertificate(in: folder)
    let server = try TestServer(tcp: "127.0.0.1:0", identity: certificate.identity(), handler: Echo())
    let url = try #require(server.listener).url
    func ask(_ options: String...) throws -> TestServer.Answer {
      try TestServer.curl(url + "x", ["--cacert", certificate.authority] + options)
    }
    #expect(url.hasPrefix("https://"))
    #expect(try ask().body == "127.0.0.1 true - -\n")
    #expect(throws: TestFailure.self) { try ask("--tls-max", "1.1", "--ciphers", "ALL@SECLEVEL=0") }
    for version in ["1.2", "1.3"] { #expect(try ask("--tlsv\(version)", "--tls-max", version).status == 200) }
    let origin = url.dropLast()
    #expect(try ask("-H", "Origin: \(origin)").status == 200)
    #expect(try ask("-H", "Origin: \(origin.replacing("https", with: "http"))").status == 403)
  }

  @Test(arguments: [
    ("ECDHE-RSA-AES128-GCM-SHA256", true), ("ECDHE-RSA-CHACHA20-POLY1305", true),
    ("AES128-GCM-SHA256", false),
    ("ECDHE-RSA-AES128-SHA", false), ("ECDHE-RSA-AES256-SHA384", false), ("DHE-RSA-AES128-GCM-SHA256", false),
  ])
  func `TLS 1-2 has forward secrecy on elliptic curves and authenticated encryption only`(
    cipher: String, isAccepted: Bool
  ) throws {
    let (certificate, key) = (folder.file("rsa.pem"), folder.file("rsa.key"))
    try Tool.run([
      "sh", "-c",
      "openssl req -x509 -newkey rsa:2048 -nodes -keyout \(key) -out \(certificate) -subj /CN=a 2>&1",
    ])
    let server = try TestServer(
      tcp: "127.0.0.1:0", identity: TLSIdentity(certificateFile: certificate, keyFile: key), handler: Echo())
    let answer = try? server.curlTCP("/", ["-k", "--tls-max", "1.2", "--ciphers", cipher])
    #expect((answer?.status == 200) == isAccepted)
  }

  @Test func `a client without a TLS handshake is disconnected, silent or not`() throws {
    let certificate = try TestCertificate(in: folder)
    let server = try TestServer(
      tcp: "127.0.0.1:0", tcpLimits: HTTPLimits(timeout: .milliseconds(300)),
      identity: certificate.identity(), handler: Echo())
    let silent = try server.connectTCP()
    let plain = try server.connectTCP()
    plain.get("/x")
    #expect(silent.hangsUp() && plain.hangsUp() && !plain.text.contains("HTTP/1.1 200"))
  }

  @Test func `events are also streamed over TLS`() throws {
    let certificate = try TestCertificate(in: folder)
    let wakeup = try Wakeup()
    let history = EventHistory(wakeup: wakeup)
    struct Events: HTTPHandler {
      let history: EventHistory
      let asked = DispatchSemaphore(value: 0)

      func handle(_ request: HTTPRequest) -> Reply {
        asked.signal()
        return .immediate(.events(EventStream(history, after: "\(history.epoch)-0", at: .now)))
      }
    }
    for _ in 1...500 { history.append(name: "gap", data: String(repeating: "x", count: 1000)) }
    let events = Events(history: history)
    let server = try TestServer(
      tcp: "127.0.0.1:0", identity: certificate.identity(), wakeup: wakeup, handler: events)
    Thread {
      events.asked.wait()
      while history.newest < 600 { history.append(name: "gap", data: "{}") }
      server.server.stop()
    }.start()
    let answer = try server.curlTCP("/", ["--cacert", certificate.authority])
    #expect(answer.body.components(separatedBy: "event: gap").count == 601)
  }

  @Test func `unusable certificates and keys are refused with a reason`() throws {
    let pair = try TestCertificate(in: folder)
    let (certificate, key) = (pair.certificate, pair.key)
    let other = try TestCertificate(in: folder, .selfSigned)
    func problem(_ certificate: String, _ key: String) -> String {
      failure { () throws(InvalidValue) in try TLSIdentity(certificateFile: certificate, keyFile: key) }?
        .description ?? "none"
    }
    #expect(problem(certificate, key) == "none")
    #expect(problem(certificate, other.key).contains("is not the key for"))
    #expect(problem(key, key).contains("contains no certificate"))
    #expect(problem(folder.file("none"), key).contains("No such file"))
    #expect(problem(certificate, folder.path) != "none")
    let empty = try folder.write("", to: "empty")
    try Tool.run(["chmod", "600", empty])
    #expect(problem(certificate, empty).contains("contains no readable key"))
    #expect(problem(empty, key).contains("contains no certificate"))
    let locked = folder.file("locked")
    try Tool.run(["openssl", "pkey", "-in", key, "-aes256", "-passout", "pass:x", "-out", locked])
    try Tool.run(["chmod", "600", locked])
    #expect(problem(certificate, locked).contains("without a password"))
    try Tool.run(["chmod", "644", key])
    #expect(problem(certificate, key).contains("is open to all users"))
  }
}

@Suite struct ControlAddressTests {
  @Test(arguments: [
    ("127.0.0.1:8080", "127.0.0.1", 8080), ("[::1]:0", "::1", 0),
    ("studio.local:65535", "studio.local", 65535), ("0.0.0.0:80", "0.0.0.0", 80),
  ])
  func `a host and a port are read`(text: String, host: String, port: UInt16) throws {
    let address = try HostAndPort(text)
    #expect((address.host, address.port, address.description) == (host, port, text))
  }

  @Test(arguments: [
    "", "8080", "localhost", "localhost:", ":8080", "::1:8080", "localhost:65536", "localhost:-1",
    "localhost:80x", "[]:80", "a b:80", "http://localhost:80", "localhost:+80",
  ])
  func `an invalid address is rejected`(text: String) {
    #expect(throws: InvalidValue.self) { try HostAndPort(text) }
  }
}
