import Foundation
import HoldfastPlatform
import TestSupport

/// Malicious requests, and the faults of the responses.
struct APIAttack {
  struct Route {
    let method: String
    let path: String
  }

  let broadcast: ControlledBroadcast
  let token: String
  private(set) var findings: [String] = []
  private(set) var answers = 0
  /// Requests with a refused token.
  private(set) var refusedTokens = 0

  private static let attacker = "127.0.0.9"
  private static let methods = ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"]

  init(_ broadcast: ControlledBroadcast, token: String) {
    self.broadcast = broadcast
    self.token = token
  }

  func client(from source: String = attacker) throws -> WireClient {
    try WireClient(port: broadcast.port, from: source)
  }

  /// The routes in the program's OpenAPI description.
  func routes() throws -> [Route] {
    let text = try client().request("GET", "/v1/openapi.json", token: nil)?.body ?? []
    let description = try JSONSerialization.jsonObject(with: Data(text)) as? [String: Any]
    return (description?["paths"] as? [String: [String: Any]] ?? [:]).flatMap { path, methods in
      methods.keys.map { Route(method: $0.uppercased(), path: path.replacing("{id}", with: "x")) }
    }.sorted { ($0.path, $0.method) < ($1.path, $1.method) }
  }

  mutating func sendMalformedBodies() throws {
    for route in try routes() where route.method == "POST" || route.method == "PATCH" {
      let client = Connections(self)
      for body in Self.malformedBodies {
        check("\(route.path) \(Self.shown(body))", client.request(route, token, body))
      }
    }
    for (path, body) in Self.badValues {
      let route = Route(method: path == "/v1/tokens" || path == "/v1/extend" ? "POST" : "PATCH", path: path)
      check("\(path) \(body)", Connections(self).request(route, token, Array(body.utf8)))
    }
  }

  mutating func sendHugeRequests() throws {
    let head = "PATCH /v1/tracks/audio HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(token)\r\n"
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

  mutating func useWrongMethods() throws {
    let routes = try routes()
    for path in Set(routes.map(\.path)).sorted() {
      let right = routes.filter { $0.path == path }.map(\.method)
      for method in Self.methods where !right.contains(method) {
        check("\(method) \(path)", Connections(self).request(Route(method: method, path: path), token, nil))
      }
    }
  }

  mutating func tryPaths() throws {
    let paths = [
      "/v1/status/", "/v1/status%00", "/v1//status", "//v1/status", "/../etc/passwd", "/..%2f..%2fetc/passwd",
      "/page.js/../api.js", "/v1/status;x", "/V1/STATUS", "/v1/./status", "/v1/tokens/../stop", "/v1/%73top",
      "/v1/tokens/%2e%2e", "/v1/tokens/a/b", "/v1/stop%20", "/v1/stop/.", "http://127.0.0.1/v1/status", "*",
      "//", "/\u{7F}", "/v1/end\0", "/é", "/v1/status?a=%zz", "/v1/events?status=0",
      "/v1/events?status=99999999999999999999", "/v1/events?status=1e3", "/.git/config", "\\v1\\stop",
      "/?" + Array(repeating: "a=b", count: 50).joined(separator: "&"),
    ]
    let headers = [
      "Host: evil.example", "Host: 127.0.0.1\r\nOrigin: http://evil.example",
      "Host: 127.0.0.1\r\nOrigin: null", "Host: 127.0.0.1\r\nSec-Fetch-Site: cross-site",
      "Host: 127.0.0.1\r\nHost: 127.0.0.1", "X: y",
    ]
    let rest = "Authorization: Bearer \(token)\r\nConnection: close\r\n\r\n"
    for method in ["GET", "POST"] {
      for path in paths { try checkRaw("\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(rest)") }
      for header in headers {
        let path = method == "GET" ? "/v1/status" : "/v1/stop"
        try checkRaw("\(method) \(path) HTTP/1.1\r\n\(header)\r\n\(rest)")
      }
    }
  }

  /// Each from its own address, since an address with too many failures is blocked; then all from one.
  mutating func showWrongTokens(revoked: String) throws {
    let secret = try Array(Data(contentsOf: URL(fileURLWithPath: broadcast.secret)).dropLast())
    let wrong =
      WrongToken.all(secret: secret, session: ControlledBroadcast.name)
      + [WrongToken(name: "revoked", code: "tokenRevoked", text: revoked)]
    for (number, token) in wrong.enumerated() {
      let client = try client(from: "127.0.1.\(number + 1)")
      for (method, path) in [("GET", "/v1/status"), ("POST", "/v1/end"), ("PATCH", "/v1/tracks/video")] {
        let body = method == "PATCH" ? #"{"muted":true}"# : nil
        let answer = client.request(method, path, token: token.text, body: body)
        check("\(token.name) \(path)", answer)
        if answer?.status != 401 || answer?.text.contains("\"code\":\"\(token.code)\"") != true {
          findings.append("a token \(token.name) is answered \(answer?.status ?? 0) \(answer?.text ?? "")")
        }
        refusedTokens += 1
      }
    }
    var codes: [Int] = []
    for number in 0..<30 {
      let answer = try client(from: "127.0.2.1").request(
        "GET", "/v1/status", token: wrong[number % wrong.count].text)
      check("guess \(number)", answer)
      codes.append(answer?.status ?? 0)
      refusedTokens += 1
    }
    if codes.prefix(10).contains(where: { $0 != 401 }) || codes.last != 429 {
      findings.append("guesses are answered \(codes)")
    }
  }

  mutating func pipeline() throws {
    let json = "Content-Type: application/json\r\nContent-Length: 1\r\n\r\n{"
    let one = "PATCH /v1/bitrate HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(token)\r\n\(json)"
    let client = try client()
    client.send(String(repeating: one, count: 300))
    for number in 0..<300 { check("pipelined \(number)", client.response()) }
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

    func request(_ route: Route, _ token: String, _ body: [UInt8]?) -> WireClient.Response? {
      if client == nil { client = try? attack.client() }
      let length = body.map { "Content-Type: application/json\r\nContent-Length: \($0.count)\r\n" } ?? ""
      let head =
        "\(route.method) \(route.path) HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(token)\r\n\(length)\r\n"
      client?.send(Array(head.utf8) + (body ?? []))
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

  fileprivate static var badValues: [(path: String, body: String)] {
    var values: [(path: String, body: String)] = []
    for rate in badRates { values.append(("/v1/bitrate", #"{"bps":"# + rate + "}")) }
    for length in badLengths { values.append(("/v1/extend", #"{"by":"# + length + #","id":"a"}"#)) }
    for source in badSources {
      values.append(("/v1/camera", #"{"source":"# + source + "}"))
      values.append(("/v1/microphone", #"{"source":"# + source + "}"))
    }
    for grant in badGrants { values.append(("/v1/tokens", grant)) }
    return values
  }

  private static let badRates: [String] = [
    "1e400", "-1", "0", "1.5", "9223372036854775808", "1e18", "{}", "\"1k\\u0000\"",
    #""99999999999999999999k""#, "\"\"", "[1500000]", #""٣٣٣٣٣٣k""#,
  ]

  private static let badLengths: [String] = [
    "1e308", "-1", #""-10m""#, #""10 parsecs""#, "0", #""9999999999999999999h""#, "[]",
  ]

  private static let badSources: [String] = [
    #""file:/etc/passwd""#, #""camera:../../etc/passwd""#, #""camera:/dev/mem""#, #""off""#, "7", "\"\"",
    "\"test\\u0000\"", "\"" + String(repeating: "a", count: 10_000) + "\"",
  ]

  private static let badGrants: [String] = [
    #"{"name":"Eve","role":"god","lasts":"2h"}"#, #"{"name":"Eve","role":"host","lasts":"9999999h"}"#,
    #"{"name":"","role":"host","lasts":"2h"}"#, "{\"name\":\"\\n\",\"role\":\"host\",\"lasts\":\"2h\"}",
    #"{"name":""# + String(repeating: "x", count: 201) + #"","role":"host","lasts":"2h"}"#,
    #"{"name":"Eve","role":"host","lasts":-1}"#,
  ]
}
