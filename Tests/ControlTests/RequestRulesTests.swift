import HoldfastMediaModel
import Testing

@testable import HoldfastControl
@testable import HoldfastHTTP

@Suite struct RequestRulesTests {
  private static let rules = RequestRules(hosts: ["stage.local"], scheme: "http")

  /// What becomes of a request with these headers: a code, or "fine".
  private func verdict(
    _ headers: [(String, String)], method: String = "GET", target: String = "/v1/status",
    rules: RequestRules = rules
  ) -> String {
    let head = RequestHead(
      method: method, target: target, headers: headers.map { .init(name: $0.0, value: $0.1) })
    guard let refusal = rules.refusal(of: head) else { return "fine" }
    return "\(refusal.status) \(refusal.error?.code ?? "?")"
  }

  @Test(arguments: [
    ("localhost", true), ("LOCALHOST:8080", true), ("127.0.0.1", true), ("127.0.0.1:80", true),
    ("[::1]:8080", true), ("[fe80::1]", true), ("stage.local:8080", true), ("Stage.Local", true),
    ("192.168.1.20:1", true), ("evil.example", false), ("localhost.evil.example", false), ("", false),
    ("127.0.0.1.evil.example", false), ("127.0.0.256", false), ("127.0.0", false), ("1.2.3.4.5", false),
    ("[::1", false), ("::1", false), ("localhost:80x", false), ("[evil.example]:80", false),
    ("localhost@evil.example", false), ("stage.local.", false), ("2130706433", false),
  ])
  func `only requests to our own host names are answered`(host: String, isFine: Bool) {
    #expect(verdict([("Host", host)]) == (isFine ? "fine" : "403 wrongHost"))
  }

  @Test func `a request needs our host name over TCP, but none over the Unix socket`() {
    #expect(verdict([]) == "403 wrongHost")
    #expect(verdict([], rules: RequestRules()) == "fine")
    #expect(verdict([("Host", "a")], rules: RequestRules()) == "fine")
  }

  @Test(arguments: [
    ("http://localhost:8080", true), ("HTTP://LOCALHOST:8080", true), ("https://localhost:8080", false),
    ("http://localhost", false), ("http://localhost:80800", false), ("http://evil.example", false),
    ("null", false), ("", false), ("http://localhost:8080/", false), ("http://127.0.0.1:8080", false),
  ])
  func `only our own page may send requests`(origin: String, isFine: Bool) {
    #expect(
      verdict([("Host", "localhost:8080"), ("Origin", origin)]) == (isFine ? "fine" : "403 crossOrigin"))
  }

  @Test func `the page's origin must be https over TLS`() {
    let rules = RequestRules(hosts: [], scheme: "https")
    #expect(verdict([("Host", "localhost"), ("Origin", "https://localhost")], rules: rules) == "fine")
    #expect(
      verdict([("Host", "localhost"), ("Origin", "http://localhost")], rules: rules) == "403 crossOrigin")
  }

  @Test(arguments: [("same-origin", true), ("none", true), ("same-site", false), ("cross-site", false)])
  func `a browser's request for another site's page is refused`(site: String, isFine: Bool) {
    #expect(
      verdict([("Host", "localhost"), ("Sec-Fetch-Site", site)]) == (isFine ? "fine" : "403 crossOrigin"))
  }

  @Test func `a foreign link may open our page, but not act or load it in a frame`() {
    func verdict(_ method: String, _ mode: String, _ destination: String) -> String {
      self.verdict(
        [
          ("Host", "localhost"), ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", mode),
          ("Sec-Fetch-Dest", destination),
        ], method: method)
    }
    #expect(verdict("GET", "navigate", "document") == "fine")
    #expect(verdict("POST", "navigate", "document") == "403 crossOrigin")
    #expect(verdict("GET", "navigate", "iframe") == "403 crossOrigin")
    #expect(verdict("GET", "no-cors", "image") == "403 crossOrigin")
  }

  @Test(arguments: [
    (["Content-Length": "5", "Content-Type": "application/json"], "fine"),
    (["Content-Length": "5", "Content-Type": "Application/JSON; charset=utf-8"], "fine"),
    (["Content-Length": "0"], "fine"), ([:], "fine"), (["Content-Length": "5"], "415 notJSON"),
    (["Content-Length": "5", "Content-Type": "text/plain"], "415 notJSON"),
    (["Content-Length": "5", "Content-Type": "application/jsonp"], "415 notJSON"),
    (["Content-Length": "5", "Content-Type": "text/plain; application/json"], "415 notJSON"),
    (["Content-Length": "65536", "Content-Type": "application/json"], "fine"),
    (["Content-Length": "65537", "Content-Type": "application/json"], "413 tooLong"),
    (["Transfer-Encoding": "chunked"], "415 notJSON"),
    (["Transfer-Encoding": "chunked", "Content-Type": "application/json"], "fine"),
    (["Transfer-Encoding": "gzip, chunked", "Content-Type": "application/json"], "400 badRequest"),
    (["Transfer-Encoding": "identity"], "400 badRequest"),
    (["Transfer-Encoding": "chunked", "Content-Length": "5"], "400 badRequest"),
    (["Content-Length": "-1"], "400 badRequest"), (["Content-Length": "+1"], "400 badRequest"),
    (["Content-Length": "99999999999999999999"], "400 badRequest"),
    (["Content-Length": ""], "400 badRequest"),
  ])
  func `a body must be JSON with an unambiguous length`(headers: [String: String], expected: String) {
    #expect(verdict([("Host", "localhost")] + headers.map { ($0, $1) }, method: "POST") == expected)
  }

  @Test(arguments: ["Host", "content-length", "Authorization", "ORIGIN", "Content-Type", "Last-Event-ID"])
  func `a header that decides something must not appear twice`(name: String) {
    #expect(verdict([("Host", "localhost"), (name, "1"), (name, "1")]) == "400 badRequest")
  }

  @Test func `a request may have at most 64 headers`() {
    let many = [("Host", "localhost")] + (1...63).map { ("X-\($0)", "y") }
    #expect(verdict(many) == "fine")
    #expect(verdict(many + [("X", "y")]) == "431 tooManyHeaders")
  }

  @Test(arguments: [
    ("/", "fine"), ("/v1/status?status=500", "fine"), ("/a%2e%2e/b", "fine"), ("", "400 badRequest"),
    ("*", "400 badRequest"), ("http://localhost/v1/status", "400 badRequest"), ("v1", "400 badRequest"),
    ("/a b", "400 badRequest"), ("/a\u{1}", "400 badRequest"), ("/ä", "400 badRequest"),
    ("/v1/status?a=%", "400 badRequest"), ("/?a=%zz", "400 badRequest"), ("/?a=%ff", "400 badRequest"),
    ("/" + String(repeating: "x", count: 4095), "fine"),
    ("/" + String(repeating: "x", count: 4096), "414 tooLong"),
    ("/?" + String(repeating: "a&", count: 33), "400 badRequest"),
  ])
  func `a path must be plain and not too long`(target: String, expected: String) {
    #expect(verdict([("Host", "localhost")], target: target) == expected)
  }

  @Test(arguments: [
    ("Bearer abc", "abc"), ("bearer  abc", "abc"), ("Basic abc", ""), ("Bearer", ""), ("Bearer a b", ""),
    ("", ""),
  ])
  func `a bearer token is read from its header, and anything else there is invalid`(
    header: String, expected: String
  ) {
    let head = RequestHead(method: "GET", target: "/", headers: [.init(name: "AUTHORIZATION", value: header)])
    #expect(head.bearer == expected)
  }

  @Test func `a query is unescaped, and the first value of a name counts`() {
    let query = HTTPRequest.Query("a=1&a=2&%62=x%20y+z&c&=d&e=f=g")
    #expect(["a", "b", "c", "e", "d"].map { query?[$0] } == ["1", "x y z", "", "f=g", nil])
  }
}
