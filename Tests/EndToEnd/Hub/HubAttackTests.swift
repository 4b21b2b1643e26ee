import Foundation
import HoldfastMediaModel
import TestSupport
import TestTraits
import Testing

/// Attacks on a hub whose session must not notice them.
@Suite(.busyRealTime, .serialized) struct HubAttackTests {
  private static let session = "Stage"

  private let folder = ScratchFolder()
  private let hub: HubProcess
  private let secret: SecretFile
  private let token: String
  private let lease: String
  /// Anna's, who must not be missed.
  private let beats: RepeatingThread

  init() throws {
    secret = try SecretFile(in: folder)
    hub = try HubProcess(in: folder, options: ["--token-secret", secret.path, "--media-port", "0"])
    token = try secret.token("Anna", "host", of: Self.session)
    let join: JSONValue = ["key": "a-key-of-the-tests", "name": "Anna", "kind": "box"]
    let joined = try hub.client(token: token).send("POST", "/v1/sessions/\(Self.session)/join", join)
    let lease = try #require(joined["lease"]?.text, "\(joined.verdict)")
    self.lease = lease
    let client = hub.client(token: token)
    beats = RepeatingThread(every: 500_000) {
      _ = try? client.send("POST", "/v1/sessions/\(Self.session)/beat", ["state": "idle"], lease: lease)
    }
  }

  private var client: HubClient { hub.client(token: token) }

  private func requireCalm() throws {
    let state = try client.send("GET", "/v1/sessions/\(Self.session)")
    #expect(state.status == 200 && state["locked"] == .bool(false), "\(state.json)")
    #expect(try Array(client.members(of: Self.session).keys) == ["Anna"])
    beats.finish()
    let result = hub.stop()
    #expect(result.status == 0, "\(result.errors)")
  }

  /// A token that was valid until it was revoked.
  private func revokedToken() throws -> String {
    let made = try client.send("POST", "/v1/tokens", ["name": "Eve", "role": "host", "lasts": "2h"])
    let text = try #require(made["token"]?.text, "\(made.verdict)")
    let path = "/v1/sessions/\(Self.session)"
    #expect(try hub.client(token: text).send("GET", path).status == 200)
    #expect(try client.send("POST", "/v1/revocations", ["token": .text(text)]).status == 200)
    return text
  }

  @Test func `malicious requests are refused with a reason and have no effect`() throws {
    let path = "/v1/sessions/\(Self.session)"
    let commands = APIAttack.Route(method: "POST", path: "\(path)/commands")
    var attack = APIAttack(
      APIAttack.Target(
        port: hub.port, secret: secret.path, session: Self.session, token: token,
        headers: "Holdfast-Lease: \(lease)\r\n", view: APIAttack.Route(method: "GET", path: path),
        change: commands, end: commands, names: ["{name}": Self.session],
        badValues: Self.badCommands.map { (commands.path, $0) } + Self.badJoins.map { ("\(path)/join", $0) }))
    #expect(try attack.run(revoked: revokedToken()) == 50, "who drips stays")
    #expect(attack.findings == [])
    #expect(attack.answers > 800)
    try requireCalm()
  }

  @Test func `who does not read its events holds up nobody, and is sent away`() throws {
    func stream(from source: String) throws -> WireClient {
      // Else the kernel reads for it.
      let client = try WireClient(port: hub.port, from: source, receiveBuffer: 64 << 10)
      let head = "GET /v1/sessions/\(Self.session)/events HTTP/1.1\r\nHost: 127.0.0.1\r\n"
      client.send(head + "Authorization: Bearer \(token)\r\n\r\n")
      return client
    }
    let sleepers = try (1...20).map { try stream(from: "127.0.5.\($0)") }
    let data = JSONValue.text(String(repeating: "x", count: 4000))
    for number in 1...1500 {
      let sent = try client.send(
        "POST", "/v1/sessions/\(Self.session)/commands",
        ["command": "event", "name": "noise", "data": data, "requestId": .text(String(number))], lease: lease)
      #expect(sent.status == 200, "\(sent.verdict)")
    }
    let watcher = try secret.token("Olga", "operator", of: "*")
    // A client that doesn't read is not told that its connection has ended.
    func metrics() -> String { (try? hub.client(token: watcher).send("GET", "/metrics").text) ?? "" }
    #expect(eventually { metrics().contains("holdfast_hub_event_streams 0\n") })
    try requireCalm()
    withExtendedLifetime(sleepers) {}
  }

  private static let badCommands: [String] = [
    #"{"command":"explode"}"#, #"{"command":7}"#, #"{"command":"lock","target":"x"}"#,
    #"{"command":"lock","requestId":""}"#,
    #"{"command":"lock","requestId":"\#(String(repeating: "a", count: 200))"}"#,
    #"{"command":"lock","as":"somebody"}"#, #"{"command":"mute","tracks":["smell"]}"#,
    #"{"command":"mute","tracks":"audio"}"#, #"{"command":"mute","target":"0000000000000000"}"#,
    #"{"command":"mute","target":"../../../../etc"}"#, #"{"command":"rename","name":""}"#,
    #"{"command":"rename","name":"a\u0000b"}"#, #"{"command":"rename","name":"\u202egpj.exe"}"#,
    #"{"command":"rename","name":"\#(String(repeating: "é", count: 201))"}"#,
    #"{"command":"password","password":""}"#,
    #"{"command":"password","password":"\#(String(repeating: "p", count: 65))"}"#,
    #"{"command":"password","password":"a\nb"}"#, #"{"command":"limit","length":"-1h"}"#,
    #"{"command":"limit","length":1e308}"#, #"{"command":"limit","length":"9999999999h"}"#,
    #"{"command":"extend","by":"10m"}"#, #"{"command":"event","name":"","data":1}"#,
    #"{"command":"event","name":"a","data":"\#(String(repeating: "x", count: 9000))"}"#,
    #"{"command":"live","outputs":[]}"#, #"{"command":"live","outputs":["file:///etc/passwd"]}"#,
    #"{"command":"live","outputs":[7]}"#, #"{"command":"take","job":"x","worker":"w"}"#,
    #"{"command":"work","lease":"1.1","state":"live"}"#, #"{"command":"host","target":""}"#,
    #"{"command":"readmit","target":"0000000000000000"}"#, #"{"command":"join"}"#, #"{"command":"report"}"#,
  ]

  private static let badJoins: [String] = [
    "{}", #"{"key":"short","name":"Eve","kind":"box"}"#,
    #"{"key":"a-key-of-the-attack","name":"","kind":"box"}"#,
    #"{"key":"a-key-of-the-attack","name":"Eve","kind":"god"}"#,
    #"{"key":"a-key-of-the-attack","name":"Eve","kind":"box","role":"host"}"#,
    #"{"key":"a-key-of-the-attack","name":"Eve","kind":"box","wants":["everything"]}"#,
    #"{"key":"\#(String(repeating: "k", count: 1000))","name":"Eve","kind":"box"}"#,
    #"{"key":"a-key-of-the-attack","name":"\#(String(repeating: "n", count: 201))","kind":"box"}"#,
  ]
}
