import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastStores
import TestStores
import TestSupport
import Testing

@testable import HoldfastHTTP
@testable import HoldfastHub
@testable import HoldfastTokens

@Suite struct HubAPITests {
  @Test func `a join gives a place, and the state shows the member`() throws {
    let address = "rtmp://m/live/{session}.{member}?key={key}"
    let hub = try TestHub(media: MediaAddresses(ingest: address, play: address))
    let anna = try hub.join("Anna", token: hub.token(.host), wants: [.ingest])
    #expect(anna.place.role == .host && anna.place.play == nil)
    #expect(anna.place.ingest?.hasPrefix("rtmp://m/live/") == true)
    let state = try hub.send("GET", "/v1/sessions/Hall", token: anna.token)
    #expect(state["host"] == .text(anna.id))
    #expect(!state.json.description.contains(anna.lease))
  }

  @Test func `a second address is for who asks for it, in the join and in beats`() throws {
    let hub = try TestHub(media: MediaAddresses(ingest: "rtmp://m/live/{session}.{member}?key={key}"))
    let anna = try hub.join("Anna", token: hub.token(.host), wants: [.ingest])
    #expect(anna.place.ingestSmall == nil)
    let max = try hub.join(
      "Max", token: hub.token(.participant, name: "Max"), wants: [.ingest, .ingestSmall])
    #expect(max.place.ingest?.contains(".\(max.id)?key=") == true)
    #expect(max.place.ingestSmall?.contains(".\(max.id)-small?key=") == true)
    let beat = try hub.beat(max, .live, givesSmall: true)
    #expect(beat["ingestSmall"]?.text?.contains(".\(max.id)-small?key=") == true)
    let members = try hub.send("GET", "/v1/sessions/Hall", token: anna.token)["members"]?.elements
    #expect(members?.map { $0.field("small") } == [nil, .bool(true)])
  }

  @Test func `the same key is the same member, and the newer join supersedes`() throws {
    let hub = try TestHub()
    let token = try hub.token(.host)
    let first = try hub.join("Anna", token: token)
    let second = try hub.join("Anna", token: token)
    #expect(first.id == second.id && first.lease != second.lease)
    #expect(try hub.beat(first).verdict == "409 superseded")
    #expect(try hub.beat(second).verdict == "200")
  }

  @Test func `a mute is in the next beat, with who wants it`() throws {
    let (hub, anna, max) = try TestHub.ofTwo()
    let mute: JSONValue = [
      "command": "mute", "target": .text(max.id), "tracks": .list(["video", "audio"]),
    ]
    #expect(try hub.command(mute, by: anna).verdict == "200")
    let desired = try hub.beat(max)["desired"]
    #expect(desired?.field("muted") == .list(["audio", "video"]))
    #expect(desired?.field("bySelf") == .list([]))
  }

  @Test func `a forged proof, or another member's, is as good as none`() throws {
    let hub = try TestHub()
    let anna = try hub.join("Anna", token: hub.token(.host))
    for (name, proof) in [("Eve", "forged"), ("Max", anna.place.proof)] {
      let join: JSONValue = [
        "key": .text("the-key-of-\(name)-of-the-tests"), "name": .text(name), "kind": "box",
        "proof": .text(proof),
      ]
      let answer = try hub.post("join", join, token: hub.token(.participant, name: name))
      #expect(
        answer.verdict == "200" && answer["role"] == "participant" && answer["member"] != .text(anna.id))
    }
  }

  @Test func `the log says who did what to whom`() throws {
    let (hub, anna, max) = try TestHub.ofTwo()
    #expect(try hub.command(["command": "remove", "target": .text(max.id)], by: anna).verdict == "200")
    let line = try #require(hub.notes.last)
    #expect(line.contains("Anna") && line.hasSuffix("POST /v1/sessions/Hall/commands remove \(max.id)"))
  }

  @Test func `a request's id does it once`() throws {
    let hub = try TestHub()
    let anna = try hub.join("Anna", token: hub.token(.host))
    let lock: JSONValue = ["command": "lock", "requestId": "a"]
    #expect(try hub.command(lock, by: anna)["events"] == .list(["locked"]))
    _ = try hub.command(["command": "unlock"], by: anna)
    #expect(try hub.command(lock, by: anna)["events"] == .list(["locked"]))
    #expect(try hub.send("GET", "/v1/sessions/Hall", token: anna.token)["locked"] == .bool(false))
    #expect(try hub.command(["command": "unlock", "requestId": "a"], by: anna).verdict == "409 idUsed")
  }

  @Test func `a join with the same id is one join, however late, and with another password`() throws {
    let hub = try TestHub()
    let token = try hub.token(.host)
    func join(
      _ id: String, key: String = "a-key-of-the-tests", password: String? = nil
    ) throws -> TestHub.Answer {
      let request = Session.JoinRequest(
        key: key, name: "Anna", kind: .box, password: password, requestID: id)
      return try hub.post("join", request.json, token: token)
    }
    let first = try join("a")
    #expect(try join("a", password: "open sesame")["lease"] == first["lease"])
    #expect(try join("a", key: "another-key-of-the-tests")["member"] != first["member"])
    let second = try join("b")
    #expect(second["lease"] != first["lease"])
    #expect(try join("a").verdict == "409 superseded")
    let lease = try #require(Session.JoinAnswer(second.json)).place.lease
    #expect(try hub.post("beat", ["state": "idle"], token: token, lease: lease).verdict == "200")
    #expect(try join("").verdict == "422 badValue")
    #expect(try join(String(repeating: "a", count: 129)).verdict == "422 badValue")
  }

  @Test func `a session's password is the creator's, and wrong ones are slowed down`() throws {
    let hub = try TestHub()
    _ = try hub.join("Anna", token: hub.token(.host), password: "open sesame")
    let token = try hub.token(.participant, name: "Max")
    func verdict(_ password: String?) throws -> String {
      let request = Session.JoinRequest(
        key: "a-key-of-the-tests", name: "Max", kind: .box, password: password)
      return try hub.post("join", request.json, token: token).verdict
    }
    #expect(try verdict(nil) == "403 passwordNeeded")
    for _ in 1...5 { #expect(try verdict("wrong") == "403 passwordWrong") }
    #expect(try verdict("wrong") == "429 tooManyFailures")
    #expect(try verdict(nil) == "403 passwordNeeded")
  }

  @Test(arguments: ["", "Bearer", "1.2", "abcdefghijklmno1.1.1.ingest.0123456789abcdef0123456789abcdef"])
  func `a lease that no hub gave is refused`(lease: String) throws {
    let hub = try TestHub()
    let anna = try hub.join("Anna", token: hub.token(.host))
    let answer = try hub.post("beat", ["state": "idle"], token: anna.token, lease: lease)
    #expect(answer.verdict == "403 leaseForged")
  }

  @Test func `a lease counts with its own token alone`() throws {
    let hub = try TestHub()
    let anna = try hub.join("Anna", token: hub.token(.host))
    let stolen = try hub.command(
      ["command": "lock"], by: TestHub.Member(id: anna.id, token: hub.token(.participant), place: anna.place))
    #expect(stolen.verdict == "403 leaseForged")
    #expect(try hub.post("beat", ["state": "idle"], token: anna.token).verdict == "403 leaseNeeded")
  }

  @Test func `a token is for its session`() throws {
    let hub = try TestHub()
    let token = try hub.token(.host, of: "Other")
    #expect(try hub.send("GET", "/v1/sessions/Hall", token: token).verdict == "401 tokenOfAnotherSession")
    #expect(try hub.send("GET", "/v1/sessions/Other", token: token).verdict == "404 noSuchSession")
    #expect(try hub.send("GET", "/v1/sessions/OTHER", token: token).verdict == "404 noSuchSession")
    #expect(try hub.send("GET", "/v1/sessions/Hall").verdict == "401 tokenMissing")
    #expect(try hub.send("GET", "/v1/sessions", token: token).verdict == "403 notAllowed")
    #expect(try hub.send("GET", "/v1/sessions", token: hub.token(.operator)).verdict == "200")
  }

  @Test func `without a secret the local user needs no token, but never through a proxy`() throws {
    let hub = try TestHub(tokens: false)
    let anna = try hub.join("Anna")
    #expect(anna.place.role == .host)
    for header in ["X-Forwarded-For: 203.0.113.1", "Forwarded: for=x"] {
      let forwarded = try hub.send("GET", "/v1/sessions/Hall", headers: [header])
      #expect(forwarded.verdict == "401 tokenMissing", "\(header)")
    }
  }

  @Test(arguments: [
    ("Caf%C3%A9", "200"), ("CAFE%CC%81", "200"), ("%2F", "422 badValue"), ("%FF", "404 notFound"),
    ("%zz", "404 notFound"), ("healthz", "422 badValue"), ("*", "422 badValue"), ("%2e%2e", "422 badValue"),
    (String(repeating: "a", count: 151), "422 badValue"),
  ])
  func `a session's name is one segment of UTF-8`(segment: String, verdict: String) throws {
    let hub = try TestHub(tokens: false)
    let request = Session.JoinRequest(key: "a-key-of-the-tests", name: "Anna", kind: .box)
    #expect(try hub.post("join", request.json, session: segment).verdict == verdict)
  }

  @Test(arguments: [
    (#"{"state":"live","muted":["audio"],"statistics":{"a":1}}"#, "200"),
    (#"{"state":"dead"}"#, "422 badValue"), ("{}", "422 badValue"), ("[]", "400 badBody"),
    ("{", "400 badJSON"), (#"{"state":"live","x":1}"#, "422 unknownField"),
    (#"{"state":"live","muted":"audio"}"#, "422 badValue"),
    (#"{"state":"live","statistics":[]}"#, "422 badValue"),
  ])
  func `a beat is read strictly`(body: String, verdict: String) throws {
    let hub = try TestHub(tokens: false)
    let anna = try hub.join("Anna")
    let client = try WireClient(port: hub.listener.port)
    client.send(
      "POST /v1/sessions/Hall/beat HTTP/1.1\r\nHost: localhost\r\nHoldfast-Lease: \(anna.lease)\r\n"
        + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    let response = try #require(client.response(within: 30))
    let code = (try JSONValue(reading: response.body.span)).field("error")?.field("code")?.text
    #expect("\(response.status)\(code.map { " \($0)" } ?? "")" == verdict)
  }

  @Test func `who left is not a member any more, and who was removed not even by its token`() throws {
    let (hub, anna, max) = try TestHub.ofTwo()
    #expect(try hub.post("leave", [:], token: max.token, lease: max.lease).verdict == "200")
    #expect(try hub.beat(max).verdict == "409 leaseOver")
    #expect(
      try hub.command(["command": "mute", "target": .text(max.id)], by: anna).verdict == "404 noSuchMember")
    let again = try hub.join("Max", token: max.token)
    #expect(try hub.command(["command": "remove", "target": .text(again.id)], by: anna).verdict == "200")
    #expect(try hub.beat(again).verdict == "403 removed")
    #expect(try hub.send("GET", "/v1/sessions/Hall", token: max.token).verdict == "403 removed")
    #expect(throws: TestFailure.self) { try hub.join("Max", token: max.token, key: "another-key-and-long") }
  }

  @Test func `a participant's token reads and sends nothing before it has joined`() throws {
    let hub = try TestHub()
    _ = try hub.join("Anna", token: hub.token(.host), password: "open sesame")
    let token = try hub.token(.participant, name: "Max")
    func verdicts() throws -> [String] {
      [
        try hub.send("GET", "/v1/sessions/Hall", token: token).verdict,
        try hub.command(["command": "event", "name": "cue"], token: token).verdict,
      ]
    }
    #expect(try verdicts() == ["422 memberNeeded", "422 memberNeeded"])
    #expect(try hub.send("GET", "/v1/sessions/Hall/events", token: token).verdict == "422 memberNeeded")
    _ = try hub.join("Max", token: token, password: "open sesame")
    #expect(try verdicts() == ["200", "200"])
  }

  @Test func `statistics are read, and not sent to all who come`() throws {
    let hub = try TestHub(tokens: false)
    let anna = try hub.join("Anna", .person)
    _ = try hub.beat(anna)
    func statistics(_ state: JSONValue?) -> JSONValue? {
      state?.field("members")?.elements?.first?.field("statistics")
    }
    #expect(statistics(try hub.send("GET", "/v1/sessions/Hall").json) == ["bitrate": .integer(1)])
    let request = Session.JoinRequest(key: "another-key-of-the-tests", name: "Max", kind: .box)
    #expect(statistics(try hub.post("join", request.json)["state"]) == .null)
  }

  @Test func `a session that is full is shown to who comes in less than 64 KiB`() throws {
    var store = MemoryStore()
    let (service, feeds) = (HubService.ofTests(), SessionFeeds(readable: try Wakeup()))
    for number in 1...Session.Limits.members {
      let answer = try service.join(
        number, "Camera in committee room \(number)", wants: [.ingest],
        by: Session.Credential(.host, token: "t\(number)"), in: &store)
      let ticket = try #require(service.keys.ticket(answer.place.lease, in: .hall, token: "t\(number)"))
      let statistics = JSONValue.object([
        JSONValue.Field("log", .text(String(repeating: "x", count: Session.BeatRequest.maxBytes - 10)))
      ])
      _ = try service.beat(
        Session.BeatRequest(Session.Member.Report(), statistics: statistics), by: ticket, in: .hall, at: .now,
        in: &store)
    }
    var stream = try feeds.stream(
      of: .hall, for: .token(Session.Credential(.local)), after: nil, by: service, in: &store, at: .now)
    guard case .bytes(let reset) = stream.next(at: .now) else { return #expect(Bool(false), "no reset") }
    #expect((32 * 1024...64 * 1024).contains(reset.count), "\(reset.count)")
  }

  @Test func `a token answers for its member, and lets it leave`() throws {
    let (hub, anna, max) = try TestHub.ofTwo()
    func verdict(_ fields: [String: JSONValue], as id: String) throws -> String {
      let all = fields.merging(["as": .text(id)]) { $1 }
      return try hub.command(.object(all.map { JSONValue.Field($0.key, $0.value) }), token: max.token).verdict
    }
    _ = try hub.command(["command": "mute"], by: max)
    _ = try hub.command(["command": "unmute", "target": .text(max.id)], by: anna)
    let answer: [String: JSONValue] = ["command": "answer", "agrees": .bool(true)]
    #expect(try verdict(answer, as: anna.id) == "404 noSuchMember")
    #expect(try verdict(answer, as: max.id) == "200")
    #expect(try hub.beat(max)["desired"]?.field("muted") == .list([]))
    #expect(try verdict(["command": "leave"], as: anna.id) == "404 noSuchMember")
    #expect(try verdict(["command": "leave"], as: max.id) == "200")
    #expect(try hub.beat(max).verdict == "409 leaseOver")
  }

  @Test func `a session that can't be read hides no other one, and is named once`() throws {
    let hub = try TestHub(tokens: false)
    let request = Session.JoinRequest(key: "a-key-of-the-tests", name: "Anna", kind: .person)
    for name in ["Hall", "Damaged", "Yard"] { _ = try hub.post("join", request.json, session: name) }
    hub.store.replace(try Session.Name("Damaged"), with: "{}")
    for _ in 1...2 {
      let sessions = try hub.send("GET", "/v1/sessions")["sessions"]?.elements ?? []
      #expect(Set(sessions.compactMap { $0.field("name")?.text }) == ["Hall", "Yard"])
    }
    #expect(hub.notes.filter { $0.contains("Damaged") }.count == 1)
  }

  @Test func `who was removed issues and revokes no tokens until it is readmitted`() throws {
    let hub = try TestHub()
    let anna = try hub.join("Anna", .person, token: hub.token(.host))
    let max = try hub.join("Max", token: hub.token(.host, name: "Max"))
    let order: JSONValue = ["name": "Max", "role": "host", "lasts": "1h"]
    func verdicts() throws -> [String] {
      let revocation: JSONValue = ["token": .text(try hub.token(.participant, name: "Left"))]
      return [
        try hub.send("POST", "/v1/tokens", order, token: max.token).verdict,
        try hub.send("POST", "/v1/revocations", revocation, token: max.token).verdict,
      ]
    }
    #expect(try verdicts() == ["200", "200"])
    #expect(try hub.command(["command": "remove", "target": .text(max.id)], by: anna).verdict == "200")
    #expect(try verdicts() == ["403 removed", "403 removed"])
    #expect(try hub.send("POST", "/v1/tokens", order, token: anna.token).verdict == "200")
    #expect(try hub.command(["command": "readmit", "target": .text(max.id)], by: anna).verdict == "200")
    #expect(try verdicts() == ["200", "200"])
  }

  @Test func `a store that is away is said so, and is asked again`() throws {
    let hub = try TestHub(tokens: false, stores: { AwayStore() })
    let request = Session.JoinRequest(key: "a-key-of-the-tests", name: "Anna", kind: .box)
    let answer = try hub.post("join", request.json)
    #expect(answer.verdict == "503 storeAway")
    #expect(answer.head.lowercased().contains("retry-after: 1"))
    #expect(try hub.send("GET", "/healthz").verdict == "200")
  }

  @Test func `ten thousand joins of one name are as many members as there may be, in one session`() throws {
    var store = MemoryStore()
    let service = HubService.ofTests()
    var verdicts: [String: Int] = [:]
    for number in 1...10_000 {
      do {
        _ = try service.join(number, by: Session.Credential(.host, token: "t\(number)"), in: &store)
        verdicts["joined", default: 0] += 1
      } catch {
        verdicts["\(error)", default: 0] += 1
      }
    }
    #expect(verdicts["joined"] == Session.Limits.members && verdicts.count == 2, "\(verdicts)")
    #expect(try service.names(within: .seconds(1 << 30), in: &store) == [.hall])
  }
}
