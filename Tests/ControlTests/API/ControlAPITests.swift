import Foundation
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPages
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastControl
@testable import HoldfastHTTP
@testable import HoldfastTokens

/// Which requests there are, who may make them, and what their bodies may hold.
@Suite struct ControlAPITests {
  private let scratch = ScratchFolder()
  private let issuer: TokenIssuer
  private let target = FakeTarget()
  private let api: ControlAPI
  private let notes = Locked<[String]>([])

  init() throws {
    issuer = try TokenIssuer(in: scratch, session: "hall")
    let wakeup = try Wakeup()
    var parts = ControlAPI.Parts(events: EventHistory(wakeup: wakeup), status: LatestStatus { "{}" })
    parts.authenticator = Authenticator(issuer.verifier)
    parts.tokens = issuer
    parts.note = { [notes] text in notes.withLock { $0.append(text) } }
    api = ControlAPI(target, parts)
  }

  private func ask(_ method: String, _ path: String, _ body: String = "", as role: Role? = nil) throws
    -> HTTPResponse
  {
    var request = HTTPRequest(method, path)
    request.body = Array(body.utf8)
    if let role {
      request.peer = .remote(address: "192.0.2.7", isSameUser: false)
      let now = WallTime.now
      request.bearer = try issuer.make(for: "Anna", role, lasting: .seconds(60), at: now).text
    }
    return answer(to: request)
  }

  private func answer(to request: HTTPRequest) -> HTTPResponse {
    switch api.handle(request) {
    case .immediate(let response): return response
    case .deferred(_, let work): return work()
    }
  }

  private func code(_ response: HTTPResponse) -> String { "\(response.status) \(response.error?.code ?? "")" }

  private var received: FakeTarget.Received { target.received.withLock { $0 } }

  // MARK: Rights

  @Test(arguments: Role.ofBroadcasts)
  func `each role may do what it is allowed, and a refused request changes nothing`(role: Role) throws {
    var bodies = [
      "/v1/extend": #"{"by":1,"id":"a"}"#, "/v1/ready": #"{"ready":true}"#, "/v1/event": #"{"name":"a"}"#,
      "/v1/tracks/audio": #"{"muted":true}"#, "/v1/tracks/video": #"{"muted":true}"#,
      "/v1/camera": #"{"source":"test"}"#, "/v1/screen": #"{"on":true}"#,
      "/v1/microphone": #"{"source":"tone"}"#, "/v1/layout": #"{"layout":"grid"}"#,
      "/v1/tiles/{name}": #"{"muted":true}"#,
      "/v1/session/answer": #"{"agrees":true}"#, "/v1/session/password": #"{"password":"a"}"#,
      "/v1/bitrate": #"{"bps":"1M"}"#, "/v1/tokens": #"{"name":"a","role":"host","lasts":"1h"}"#,
    ]
    for route in api.routes {
      let (method, path, needs) = (route.method, route.path, route.needs)
      guard let needs else { continue }
      // A new one, which is not revoked yet.
      let token = try issuer.make(for: "Bo", .host, lasting: .seconds(60), at: WallTime.now)
      bodies["/v1/revocations"] = #"{"token":"\#(token.text)"}"#
      let before = received
      let response = try ask(
        method, path.replacing("{id}", with: token.token.id).replacing("{name}", with: "a"),
        bodies[path] ?? "", as: role)
      let isAllowed = role.capabilities.contains(needs)
      #expect(code(response) == (isAllowed ? "200 " : "403 notAllowed"), "\(method) \(path)")
      #expect(isAllowed || received == before, "\(method) \(path)")
    }
  }

  @Test(
    arguments: [
      ("POST", "/v1/start", .manager, "a manager may not start a broadcast"),
      ("POST", "/v1/stop", .manager, "a manager may not stop the program"),
      ("POST", "/v1/background", .manager, "a manager may not send the broadcast to the background"),
      ("POST", "/v1/reload", .manager, "a manager may not reload the configuration"),
      ("POST", "/v1/check", .manager, "a manager may not check the outputs"),
      ("POST", "/v1/tokens", .manager, "a manager may not issue tokens"),
      ("DELETE", "/v1/tokens/a", .manager, "a manager may not revoke tokens"),
      ("POST", "/v1/resume", .participant, "a participant may not resume the broadcast"),
      ("PATCH", "/v1/camera", .participant, "a participant may not switch the source"),
      ("PATCH", "/v1/layout", .participant, "a participant may not change the layout"),
      ("PATCH", "/v1/tiles/a", .participant, "a participant may not mute a tile"),
      ("PATCH", "/v1/screen", .participant, "a participant may not switch the source"),
    ] as [(String, String, Role, String)])
  func `a refusal names what the caller may not do`(method: String, path: String, role: Role, text: String)
    throws
  {
    #expect(try ask(method, path, as: role).error?.message == text)
  }

  @Test func `every role may say ready, but a participant not that it is not`() throws {
    for role in Role.ofBroadcasts {
      #expect(try ask("POST", "/v1/ready", #"{"ready":true}"#, as: role).status == 200)
      let answer = try ask("POST", "/v1/ready", #"{"ready":false,"reason":"no"}"#, as: role)
      let isRefused = role == .participant
      #expect(code(answer) == (isRefused ? "403 notAllowed" : "200 "))
      #expect(answer.error?.message == (isRefused ? "a participant may not refuse going live" : nil))
    }
    #expect(received.answers == ["Anna", "Anna not", "Anna", "Anna not", "Anna"])
  }

  @Test(arguments: [true, false])
  func `the first preview waits for a picture outside of the server's thread`(comes: Bool) throws {
    var target = FakeTarget()
    let picture = target.newest
    target.newest = nil
    target.later = comes ? picture : nil
    let api = ControlAPI(
      target, ControlAPI.Parts(events: EventHistory(wakeup: try Wakeup()), status: LatestStatus { "{}" }))
    guard case .deferred(_, let work) = api.handle(HTTPRequest("GET", "/v1/preview.jpg")) else {
      Issue.record("it does not wait")
      return
    }
    let response = work()
    #expect(comes ? response.bytes == picture?.jpeg : code(response) == "404 noPicture")
    target.newest = picture
    let later = ControlAPI(
      target, ControlAPI.Parts(events: EventHistory(wakeup: try Wakeup()), status: LatestStatus { "{}" }))
    guard case .immediate(let next) = later.handle(HTTPRequest("GET", "/v1/preview.jpg")) else {
      Issue.record("it waits although there is a picture")
      return
    }
    #expect(next.bytes == picture?.jpeg)
  }

  @Test func `only the page and public information are served without a token`() throws {
    for route in api.routes {
      let (method, path, needs) = (route.method, route.path, route.needs)
      var request = HTTPRequest(method, path)
      request.peer = .remote(address: "192.0.2.7", isSameUser: false)
      guard case .immediate(let response) = api.handle(request) else {
        Issue.record("\(path) is worked out for nobody")
        continue
      }
      #expect(response.status == (needs == nil ? 200 : 401), "\(method) \(path)")
    }
    let open = Set(api.routes.filter { $0.needs == nil }.map(\.path))
    #expect(open == Set(Pages.box.map(\.path) + ["/healthz", "/v1/openapi.json"]))
  }

  @Test func `a client can query its name, role and rights`() throws {
    let me = try JSONValue(reading: ask("GET", "/v1/me", as: .participant).bytes.span)
    #expect(me.field("name") == "Anna" && me.field("role") == "participant")
    #expect(me.field("may") == .list(["view", "ready"]))
    #expect(me.field("expiresAt")?.text != nil)
    let local = try JSONValue(reading: ask("GET", "/v1/me").bytes.span)
    #expect(local.field("role") == "host" && local.field("expiresAt") == .null)
  }

  @Test func `changes by the holder of a token are noted, refusals and reads are not`() throws {
    _ = try ask("POST", "/v1/interrupt", as: .manager)
    _ = try ask("PATCH", "/v1/tracks/audio", #"{"muted":true}"#, as: .manager)
    _ = try ask("POST", "/v1/end", as: .manager)
    _ = try ask("GET", "/v1/status", as: .manager)
    _ = try ask("POST", "/v1/resume")
    let noted = notes.withLock { $0 }
    #expect(noted == ["Anna (manager): POST /v1/interrupt", "Anna (manager): PATCH /v1/tracks/audio"])
  }

  // MARK: Bodies

  @Test(
    arguments: [
      ("POST", "/v1/start", "{", "400 badJSON"), ("POST", "/v1/start", "[]", "400 badBody"),
      ("POST", "/v1/start", #"{"a":1}"#, "422 unknownField"), ("POST", "/v1/extend", "", "422 badValue"),
      ("POST", "/v1/extend", #"{"by":"10m"}"#, "422 badValue"),
      ("POST", "/v1/extend", #"{"id":"a"}"#, "422 badValue"),
      ("POST", "/v1/extend", #"{"by":0,"id":"a"}"#, "422 badValue"),
      ("POST", "/v1/extend", #"{"by":-5,"id":"a"}"#, "422 badValue"),
      ("POST", "/v1/extend", #"{"by":1e999,"id":"a"}"#, "400 badJSON"),
      ("POST", "/v1/extend", #"{"by":"ten","id":"a"}"#, "422 badValue"),
      ("POST", "/v1/extend", #"{"by":5,"id":""}"#, "422 badValue"),
      ("POST", "/v1/extend", #"{"by":5,"id":"a","id":"b"}"#, "422 badValue"),
      ("POST", "/v1/extend", #"{"by":5,"id":7}"#, "422 badValue"),
      ("POST", "/v1/extend", #"{"by":5,"id":"a\u0000"}"#, "422 badValue"),
      ("PATCH", "/v1/tracks/audio", #"{"muted":1}"#, "422 badValue"),
      ("PATCH", "/v1/tracks/audio", "{}", "422 badValue"),
      ("PATCH", "/v1/tracks/smell", #"{"muted":true}"#, "404 notFound"),
      ("PATCH", "/v1/bitrate", #"{"bps":49999}"#, "422 badValue"),
      ("PATCH", "/v1/bitrate", #"{"bps":null}"#, "422 badValue"),
      ("PATCH", "/v1/camera", #"{"source":true}"#, "422 badValue"),
      ("POST", "/v1/ready", #"{"ready":"yes"}"#, "422 badValue"),
      ("POST", "/v1/event", #"{"data":1}"#, "422 badValue"),
      ("POST", "/v1/tokens", #"{"name":"a","role":"king","lasts":"1h"}"#, "422 badValue"),
      ("POST", "/v1/tokens", #"{"name":"a","role":"host","lasts":"1ms"}"#, "422 badValue"),
      ("DELETE", "/v1/tokens/%2e", "", "404 noSuchToken"), ("DELETE", "/v1/tokens/", "", "404 notFound"),
      ("DELETE", "/v1/tokens/a/b", "", "404 notFound"), ("GET", "/v1/start", "", "405 methodNotAllowed"),
      ("PUT", "/v1/status", "", "405 methodNotAllowed"),
    ])
  func `a body that makes no sense changes nothing`(method: String, path: String, body: String, code: String)
    throws
  {
    #expect(try self.code(ask(method, path, body)) == code)
    #expect(received.isEmpty)
  }

  @Test func `names of two hundred characters are accepted, and longer ones refused`() throws {
    func name(_ count: Int) -> String { String(repeating: "é", count: count) }
    #expect(try ask("POST", "/v1/extend", #"{"by":1,"id":"\#(name(200))"}"#).status == 200)
    #expect(try code(ask("POST", "/v1/extend", #"{"by":1,"id":"\#(name(201))"}"#)) == "422 badValue")
    #expect(received.extensions == ["\(name(200)) 1s"])
  }

  @Test(arguments: [("", [false]), (#"{"measureUpload":true}"#, [true])])
  func `a check measures the upload rate only on request`(body: String, checks: [Bool]) throws {
    #expect(try ask("POST", "/v1/check", body).status == 200 && received.checks == checks)
    #expect(try code(ask("POST", "/v1/check", #"{"measureUpload":"yes"}"#)) == "422 badValue")
  }

  @Test func `event data above the limit is refused`() throws {
    let data = String(repeating: "x", count: 9000)
    #expect(try code(ask("POST", "/v1/event", #"{"name":"a","data":"\#(data)"}"#)) == "422 badValue")
    #expect(received.isEmpty)
  }

  @Test(arguments: [(#""10m""#, "600s"), ("90", "90s"), ("1.5", "1500ms"), (#""250ms""#, "250ms")])
  func `durations are written as on the command line or in seconds`(written: String, length: String) throws {
    #expect(try ask("POST", "/v1/extend", #"{"by":\#(written),"id":"a"}"#).status == 200)
    #expect(received.extensions == ["a \(length)"])
  }

  @Test func `a source requested over TCP is marked as remote`() throws {
    _ = try ask("PATCH", "/v1/camera", #"{"source":"test"}"#, as: .manager)
    _ = try ask("PATCH", "/v1/microphone", #"{"source":"tone"}"#)
    _ = try ask("PATCH", "/v1/screen", #"{"on":true}"#, as: .manager)
    _ = try ask("PATCH", "/v1/screen", #"{"on":false}"#)
    #expect(
      received.sources == ["video test from afar", "audio tone", "screen true from afar", "screen false"])
  }

  @Test func `the layout and the spotlight are changed together or alone`() throws {
    _ = try ask("PATCH", "/v1/layout", #"{"layout":"spotlight","spotlight":"Hall"}"#)
    _ = try ask("PATCH", "/v1/layout", #"{"layout":"grid"}"#)
    _ = try ask("PATCH", "/v1/layout", #"{"spotlight":null}"#)
    #expect(
      received.sources == [
        "layout spotlight spotlight Hall", "layout grid spotlight -", "layout - spotlight ",
      ])
    #expect(code(try ask("PATCH", "/v1/layout", "{}")) == "422 badValue")
    #expect(code(try ask("PATCH", "/v1/layout", #"{"layuot":"grid"}"#)) == "422 unknownField")
  }

  @Test func `a tile is named as one segment of the path`() throws {
    _ = try ask("PATCH", "/v1/tiles/Gro%C3%9Fe%20Halle%2F2", #"{"muted":true}"#)
    #expect(received.mutes == ["tile Große Halle/2 true"])
    #expect(code(try ask("PATCH", "/v1/tiles/%FF", #"{"muted":true}"#)) == "404 noSuchTile")
    #expect(code(try ask("PATCH", "/v1/tiles/a", #"{"muted":1}"#)) == "422 badValue")
  }

  // MARK: Tokens

  @Test func `a token made by the API is accepted until it is revoked`() throws {
    let made = try newToken()
    var request = HTTPRequest("GET", "/v1/me")
    request.bearer = made.field("token")?.text
    #expect(answer(to: request).status == 200)
    #expect(try ask("DELETE", "/v1/tokens/\(made.field("id")?.text ?? "")").status == 200)
    let refused = answer(to: request)
    #expect(refused.status == 401 && refused.headers.contains { $0.name == "WWW-Authenticate" })
  }

  private func newToken(lasting time: String = "1h", as role: Role? = nil) throws -> JSONValue {
    try JSONValue(
      reading: ask("POST", "/v1/tokens", #"{"name":"Bo","role":"manager","lasts":"\#(time)"}"#, as: role)
        .bytes.span)
  }

  @Test func `an id that was not issued with this secret is not revoked`() throws {
    let issued = try #require(try newToken().field("id")?.text)
    // Each digit of the code is compared, however similar the others are.
    let changed = (0..<200).map { number in String(format: "%03x", number) + issued.dropFirst(3) }
    for id in ["abc", String(repeating: "0", count: issued.count)] + changed where id != issued {
      #expect(try code(ask("DELETE", "/v1/tokens/\(id)", as: .host)) == "404 noSuchToken")
    }
    #expect(try Revocations(folder: scratch.path).all().isEmpty)
    #expect(try ask("DELETE", "/v1/tokens/\(issued)", as: .host).status == 200)
  }

  @Test func `a whole token is revoked until it expires, whoever issued it`() throws {
    let foreign = HandMadeToken.with("session", #""hall""#)
    var signed = foreign
    signed.key = Array(try String(contentsOfFile: scratch.file("secret"), encoding: .utf8).utf8.dropLast())
    for (token, expected) in [(foreign, "404 tokenForged"), (signed, "200 ")] {
      #expect(
        try code(ask("POST", "/v1/revocations", #"{"token":"\#(token.text)"}"#, as: .host)) == expected)
    }
    let revoked = try Revocations(folder: scratch.path).all()
    #expect(revoked.map(\.id) == ["a1"])
    #expect(revoked.first?.expiresAt?.nanoseconds == 1_795_007_201_000_000_000)
  }

  @Test func `a token that a host makes ends with the host's own`() throws {
    let (capped, free) = (try newToken(lasting: "8784h", as: .host), try newToken(lasting: "8784h"))
    func hours(_ token: JSONValue) throws -> Int64 {
      let end = try #require(token.field("expiresAt")?.text.flatMap(WallTime.init(rfc3339:)))
      return (end.nanoseconds - WallTime.now.nanoseconds) / 3_600_000_000_000
    }
    #expect(try hours(capped) == 0)
    #expect(try hours(free) > 8000)
  }

  @Test func `an issued token is noted by its id, with who has issued it`() throws {
    let ids = [try newToken(as: .host), try newToken()].map { $0.field("id")?.text ?? "" }
    let said = notes.withLock { $0 }.filter { $0.contains("token") && !$0.contains("/v1/") }
    try #require(said.count == 2)
    #expect(said[0].hasPrefix("Anna (host) issued token \(ids[0]) to Bo (manager), until "))
    #expect(said[1].hasPrefix("local (host) issued token \(ids[1]) to Bo (manager), until "))
  }

  @Test func `revocations over the API leave room in the list for those made on the machine`() throws {
    let issued = try #require(try newToken().field("id")?.text)
    let revocations = Revocations(folder: scratch.path)
    try revocations.revoke("first", at: WallTime.now)
    try (1..<9_000).map { "id-\($0) 8999999999\n" }.joined().write(
      toFile: revocations.path, atomically: true, encoding: .utf8)
    #expect(try ask("DELETE", "/v1/tokens/\(issued)").status == 200)
    let another = try #require(try newToken().field("id")?.text)
    #expect(try code(ask("DELETE", "/v1/tokens/\(another)")) == "503 notTaken")
    #expect(throws: Never.self) { try revocations.revoke("real", at: WallTime.now) }
  }

  // MARK: Its description

  @Test func `the OpenAPI description lists every request and no other`() throws {
    let bytes = Pages.controlAPI
    let description = try JSONValue(reading: bytes.span)
    guard case .object(let paths)? = description.field("paths") else {
      Issue.record("it has no paths")
      return
    }
    let described = paths.flatMap { path in
      guard case .object(let methods) = path.value else { return [String]() }
      return methods.map { "\($0.key.uppercased()) \(path.key)" }
    }
    let there = api.routes.filter { request in !Pages.box.contains { $0.path == request.path } }
    #expect(described.sorted() == there.map { "\($0.method) \($0.path)" }.sorted())
  }
}
