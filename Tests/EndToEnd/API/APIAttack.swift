import Foundation
import HoldfastPlatform
import TestSupport

/// Malicious requests, and the faults of the responses.
struct APIAttack {
  struct Route {
    let method: String
    let path: String
  }

  /// A server under attack.
  struct Target {
    let port: UInt16
    /// The file with the secret of its tokens.
    let secret: String
    let session: String
    /// What the attacker is allowed to: a token, and whatever else gets its requests past the rights.
    let token: String
    var headers = ""
    /// Reads, changes and ends what the server is there for.
    let view: Route
    let change: Route
    let end: Route
    /// What stands for the variable parts of paths.
    var names = ["{id}": "x"]
    let badValues: [(path: String, body: String)]
  }

  let target: Target
  private(set) var findings: [String] = []
  private(set) var answers = 0
  /// Requests with a refused token.
  private(set) var refusedTokens = 0

  private static let attacker = "127.0.0.9"
  private static let methods = ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"]

  init(_ target: Target) { self.target = target }

  private var token: String { target.token }

  private func client(from source: String = attacker) throws -> WireClient {
    try WireClient(port: target.port, from: source)
  }

  /// The routes in the program's OpenAPI description.
  private func routes() throws -> [Route] {
    let text = try client().request("GET", "/v1/openapi.json", token: nil)?.body ?? []
    let description = try JSONSerialization.jsonObject(with: Data(text)) as? [String: Any]
    return (description?["paths"] as? [String: [String: Any]] ?? [:]).flatMap { path, methods in
      let path = target.names.reduce(path) { $0.replacing($1.key, with: $1.value) }
      return methods.keys.map { Route(method: $0.uppercased(), path: path) }
    }.sorted { ($0.path, $0.method) < ($1.path, $1.method) }
  }

  /// All of it, while others send their requests a byte at a time; returns how many of these fifty were sent away.
  mutating func run(revoked: String) throws -> Int {
    let start = head(of: target.change)
    let heads = try Crowd(25, port: target.port, from: "127.0.3.1", saying: start + "X: ", drips: true)
    let bodies = try Crowd(
      25, port: target.port, from: "127.0.3.2",
      saying: start + "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{", drips: true)
    try sendMalformedBodies()
    try sendHugeRequests()
    try useWrongMethods()
    try tryPaths()
    try pipeline()
    try showWrongTokens(revoked: revoked)
    return heads.sentAway() + bodies.sentAway()
  }

  private mutating func sendMalformedBodies() throws {
    for route in try routes() where route.method == "POST" || route.method == "PATCH" {
      let client = Connections(self)
      for body in Self.malformedBodies {
        check("\(route.path) \(Self.shown(body))", client.request(route, body))
      }
    }
    let methods = Dictionary(try routes().map { ($0.path, $0.method) }) { $1 }
    for (path, body) in target.badValues {
      let route = Route(method: methods[path] ?? "POST", path: path)
      check("\(path) \(body)", Connections(self).request(route, Array(body.utf8)))
    }
  }

  private mutating func sendHugeRequests() throws {
    let head = head(of: target.change)
    let json = head + "Content-Type: application/json\r\n"
    let piece = "10000\r\n" + String(repeating: " ", count: 65536) + "\r\n"
    let bodies = [
      json + "Content-Length: 70000\r\n\r\n" + String(repeating: "[", count: 70000),
      json + "Content-Length: 99999999999999999999\r\n\r\n{}", json + "Content-Length: -1\r\n\r\n{}",
      json + "Content-Length: 4294967297\r\n\r\n{}",
      json + "Transfer-Encoding: chunked\r\n\r\n" + String(repeating: piece, count: 16) + "0\r\n\r\n",
      json + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
      json + "Transfer-Encoding: chunked\r\n\r\nzz\r\n",
      head + "Content-Type: text/plain\r\nContent-Length: 14\r\n\r\n{\"muted\":true}",
      head + "Content-Length: 14\r\n\r\n{\"muted\":true}",
      head + "X: " + String(repeating: "x", count: 1_000_000) + "\r\n\r\n",
      head + String(repeating: "X: y\r\n", count: 100) + "\r\n",
      head + String(repeating: "X: \(String(repeating: "y", count: 500))\r\n", count: 200) + "\r\n",
      "GET /\(String(repeating: "x", count: 100_000)) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
      String(repeating: "A", count: 200_000),
    ]
    for body in bodies { try checkRaw(body) }
  }

  private mutating func useWrongMethods() throws {
    let routes = try routes()
    for path in Set(routes.map(\.path)).sorted() {
      let right = routes.filter { $0.path == path }.map(\.method)
      for method in Self.methods where !right.contains(method) {
        check("\(method) \(path)", Connections(self).request(Route(method: method, path: path), nil))
      }
    }
  }

  private mutating func tryPaths() throws {
    let (view, end) = (target.view.path.dropFirst(4), target.end.path.dropFirst(4))
    let paths = [
      "/v1/\(view)/", "/v1/\(view)%00", "/v1//\(view)", "//v1/\(view)", "/../etc/passwd",
      "/..%2f..%2fetc/passwd", "/page.js/../api.js", "/v1/\(view);x", "/V1/\(view.uppercased())",
      "/v1/./\(view)", "/v1/tokens/../\(end)", "/v1/%73top", "/v1/tokens/%2e%2e", "/v1/tokens/a/b",
      "/v1/\(end)%20", "/v1/\(end)/.", "http://127.0.0.1/v1/\(view)", "*", "//", "/\u{7F}", "/v1/end\0", "/é",
      "/v1/\(view)?a=%zz", "/v1/events?status=0", "/v1/events?status=99999999999999999999",
      "/v1/events?status=1e3", "/.git/config", "\\v1\\\(end)",
      "/?" + Array(repeating: "a=b", count: 50).joined(separator: "&"),
    ]
    let headers = [
      "Host: evil.example", "Host: 127.0.0.1\r\nOrigin: http://evil.example",
      "Host: 127.0.0.1\r\nOrigin: null", "Host: 127.0.0.1\r\nSec-Fetch-Site: cross-site",
      "Host: 127.0.0.1\r\nHost: 127.0.0.1", "X: y",
    ]
    let rest = "Authorization: Bearer \(token)\r\n\(target.headers)Connection: close\r\n\r\n"
    for method in ["GET", "POST"] {
      for path in paths { try checkRaw("\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(rest)") }
      for header in headers {
        let path = method == "GET" ? target.view.path : target.end.path
        try checkRaw("\(method) \(path) HTTP/1.1\r\n\(header)\r\n\(rest)")
      }
    }
  }

  /// Each from its own address, since an address with too many failures is blocked; then all from one.
  private mutating func showWrongTokens(revoked: String) throws {
    let secret = try Array(Data(contentsOf: URL(fileURLWithPath: target.secret)).dropLast())
    let wrong =
      WrongToken.all(secret: secret, session: target.session)
      + [WrongToken(name: "revoked", code: "tokenRevoked", text: revoked)]
    for (number, token) in wrong.enumerated() {
      let client = try client(from: "127.0.1.\(number + 1)")
      for route in [target.view, target.end, target.change] {
        let body = route.method == "GET" ? nil : "{}"
        let answer = client.request(route.method, route.path, token: token.text, body: body)
        check("\(token.name) \(route.path)", answer)
        if answer?.status != 401 || answer?.text.contains("\"code\":\"\(token.code)\"") != true {
          findings.append("a token \(token.name) is answered \(answer?.status ?? 0) \(answer?.text ?? "")")
        }
        refusedTokens += 1
      }
    }
    var codes: [Int] = []
    for number in 0..<30 {
      let answer = try client(from: "127.0.2.1").request(
        target.view.method, target.view.path, token: wrong[number % wrong.count].text)
      check("guess \(number)", answer)
      codes.append(answer?.status ?? 0)
      refusedTokens += 1
    }
    if codes.prefix(10).contains(where: { $0 != 401 }) || codes.last != 429 {
      findings.append("guesses are answered \(codes)")
    }
  }

  private mutating func pipeline() throws {
    let one = head(of: target.change) + "Content-Type: application/json\r\nContent-Length: 1\r\n\r\n{"
    let client = try client()
    client.send(String(repeating: one, count: 300))
    for number in 0..<300 { check("pipelined \(number)", client.response()) }
  }

  /// The beginning of a request that is allowed, up to its own headers.
  private func head(of route: Route) -> String {
    "\(route.method) \(route.path) HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(token)\r\n\(target.headers)"
  }

  /// Checks all responses until the server disconnects.
  private mutating func checkRaw(_ request: String) throws {
    let client = try client()
    client.send(request)
    client.finishSending()
    guard let answers = client.responsesUntilEnd(within: 15) else {
      findings.append("no disconnection after \(Self.shown(Array(request.utf8)))")
      return
    }
    if let last = answers.last, isHTTPViolation(last) { return }
    for answer in answers { check(Self.shown(Array(request.utf8)), answer) }
    if !client.text.isEmpty {
      findings.append("\(Self.shown(Array(request.utf8))) gets \(client.text.prefix(200))")
    }
  }

  /// Violations of HTTP itself are answered by libmicrohttpd, which then disconnects.
  private func isHTTPViolation(_ answer: WireClient.Response) -> Bool {
    [400, 413, 414, 431].contains(answer.status) && answer.text.contains("<html>")
      && answer.head.contains("Connection: close")
  }

  /// Expects a 4xx with a reason in JSON, or the documented 503 for too many requests. Disconnecting is
  /// allowed, too.
  private mutating func check(_ what: String, _ answer: WireClient.Response?) {
    answers += 1
    guard let answer else { return }
    let error = (try? JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: [String: Any]])?[
      "error"]
    let isPlain = error?["code"] is String && error?["message"] is String
    let isBusy = answer.status == 503 && answer.head.lowercased().contains("retry-after")
    if !isPlain || !(400..<500).contains(answer.status) && !isBusy {
      findings.append("\(what): \(answer.status) \(answer.text.prefix(200))")
    }
  }

  private static func shown(_ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes.prefix(60), as: UTF8.self)
    return text.debugDescription + (bytes.count > 60 ? "… (\(bytes.count))" : "")
  }

  /// A connection that is reopened after the server has closed it.
  private final class Connections {
    private let attack: APIAttack
    private var client: WireClient?

    init(_ attack: APIAttack) { self.attack = attack }

    func request(_ route: Route, _ body: [UInt8]?) -> WireClient.Response? {
      if client == nil { client = try? attack.client() }
      let length = body.map { "Content-Type: application/json\r\nContent-Length: \($0.count)\r\n" } ?? ""
      client?.send(Array("\(attack.head(of: route))\(length)\r\n".utf8) + (body ?? []))
      let answer = client?.response()
      if answer == nil || answer?.head.lowercased().contains("connection: close") == true { client = nil }
      return answer
    }
  }
}

extension APIAttack {
  fileprivate static let malformedBodies: [[UInt8]] = malformedTexts.map { Array($0.utf8) } + malformedBytes

  private static let malformedBytes: [[UInt8]] = [
    [0], [0xFF, 0xFE, 0x7B, 0, 0x7D, 0], [0x7B, 0x7D, 0], text(of: [0xC0, 0x80]),
    text(of: [0xED, 0xA0, 0x80]), text(of: [0xF5, 0x80, 0x80, 0x80]),
  ]

  private static func text(of bytes: [UInt8]) -> [UInt8] {
    Array(#"{"muted":""#.utf8) + bytes + Array(#""}"#.utf8)
  }

  private static let malformedTexts: [String] = [
    "{", "}", "{}}", "[]", "null", "true", "0", "\"\"", "   ", "\u{FEFF}{}", #"{"muted":1e999999}"#,
    "{\"muted\":1\(String(repeating: "0", count: 20_000))}", #"{"muted":-}"#, #"{"muted":truE}"#,
    #"{"muted":NaN}"#, "{'muted':true}", #"{"muted":true,}"#, #"{"muted":true}{"muted":true}"#,
    #"{"muted":true,"muted":true}"#, "{\"muted\":true\0}", #"{"Muted":true}"#, #"{"muted":null}"#,
    "{\"muted\":\"\\ud800\"}", "{\"muted\":\"\\udc00\\ud800\"}", "{\"\\ud800\":true}",
    "{\"muted\":\"\\u12\"}", "{\"muted\":\"\u{1}\"}", #"{"muted":[[]]}"#, #"{/**/"muted":true}"#, #"{"a":1}"#,
    #"{"__proto__":{}}"#, String(repeating: "[", count: 65_536), String(repeating: #"{"a":"#, count: 13_000),
    #"{"muted":"# + String(repeating: "[", count: 60_000),
    #"{"muted":""# + String(repeating: "x", count: 65_000) + #""}"#,
  ]
}
