import Foundation
import HoldfastMarks
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

/// Attacks on the API of a live broadcast.
@Suite(.busyRealTime, .serialized) struct APIAttackTests {
  private let folder = ScratchFolder()

  private func metric(_ name: String, _ broadcast: ControlledBroadcast, _ token: String) throws -> Int? {
    let text = try WireClient(port: broadcast.port).request("GET", "/metrics", token: token)?.text ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
    return line?.split(separator: " ").last.flatMap { Int($0) }
  }

  private func requireCalm(_ broadcast: ControlledBroadcast, _ token: String) throws {
    let answer = try #require(
      try WireClient(port: broadcast.port).request("GET", "/v1/status", token: token, within: 2))
    let status = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
    #expect(status?["state"] as? String == "live", "\(answer.text)")
    let tracks = status?["tracks"] as? [String: [String: Any]]
    #expect(tracks?.values.contains { $0["muted"] as? Bool != false } == false, "\(answer.text)")
    let names = ["mute", "source", "interrupted", "backgrounded", "ended"]
    #expect(names.filter { !broadcast.subject.events($0).isEmpty } == [], "\(broadcast.subject.log)")
    let reasons = broadcast.subject.values("why", of: "bitrate")
    #expect(reasons.allSatisfy { $0 == "overload" }, "\(broadcast.subject.log)")
  }

  private func requireWhole(_ broadcast: ControlledBroadcast) throws {
    broadcast.subject.finish()
    #expect(broadcast.subject.status == 0, "\(broadcast.subject.log)")
    let marks = try RecordingMarks(path: #require(broadcast.subject.recording))
    #expect(marks.missingPictures <= broadcast.subject.uncapturedPictures, "\(marks.summary)")
    #expect(marks.report.repeated == 0 && marks.report.unreadable == 0, "\(marks.summary)")
    #expect(marks.report.pictures > 0)
  }

  @Test func `malicious requests are refused with a reason and have no effect`() throws {
    let broadcast = try ControlledBroadcast(in: folder)
    try broadcast.waitUntilLive()
    let token = try broadcast.token()
    var attack = APIAttack(.broadcast(broadcast, token: token))
    let start = attack.head(of: attack.target.change)
    let heads = try Crowd(25, port: broadcast.port, from: "127.0.3.1", saying: start + "X: ", drips: true)
    let bodies = try Crowd(
      25, port: broadcast.port, from: "127.0.3.2",
      saying: start + "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{", drips: true)
    let silent = try Crowd(300, port: broadcast.port, from: "127.0.3.3")
    let revoked = try revokedToken(broadcast, token)
    try attack.sendMalformedBodies()
    try attack.sendHugeRequests()
    try attack.useWrongMethods()
    try attack.tryPaths()
    try attack.pipeline()
    try attack.showWrongTokens(revoked: revoked)
    #expect(attack.findings == [])
    #expect(attack.answers > 1000)
    #expect(heads.sentAway() == 25 && bodies.sentAway() == 25, "who drips stays")
    #expect(eventually { silent.sentAway() == 300 }, "who is silent stays")
    #expect(try metric("holdfast_failed_tokens_total", broadcast, token) == attack.refusedTokens)
    try requireCalm(broadcast, token)
    try requireWhole(broadcast)
  }

  /// A token that was valid until it was revoked.
  private func revokedToken(_ broadcast: ControlledBroadcast, _ token: String) throws -> String {
    let client = try WireClient(port: broadcast.port)
    let body = "{\"name\":\"Eve\",\"role\":\"host\",\"lasts\":\"2h\"}"
    let made = try #require(client.request("POST", "/v1/tokens", token: token, body: body))
    let fields = try #require(JSONSerialization.jsonObject(with: Data(made.body)) as? [String: Any])
    let (text, id) = (try #require(fields["token"] as? String), try #require(fields["id"] as? String))
    #expect(client.request("GET", "/v1/me", token: text)?.status == 200)
    #expect(client.request("DELETE", "/v1/tokens/\(id)", token: token)?.status == 200)
    return text
  }

  @Test func `connections that fill the port block no one and lose no picture`() throws {
    try #require(raiseDescriptorLimit(to: 4096) >= 2600, "too few open files are allowed")
    let broadcast = try ControlledBroadcast(in: folder)
    try broadcast.waitUntilLive()
    let token = try broadcast.token()
    let crowd = try Crowd(1300, port: broadcast.port, from: "127.0.4.1")
    #expect(eventually { crowd.sentAway() >= 100 }, "1300 of one address have come in")
    let others = try Crowd(1000, port: broadcast.port, from: "127.0.4.2")
    // Connections idle for a second make room.
    let isHeard = eventually {
      (try? WireClient(port: broadcast.port).request("GET", "/v1/me", token: token, within: 2)?.status) == 200
    }
    #expect(isHeard)
    #expect(others.sentAway() + crowd.sentAway() >= 252)
    let local = try broadcast.subject.ctl("status")
    #expect(local.status == 0, "\(local)")
    try requireCalm(broadcast, token)
    try requireWhole(broadcast)
  }

  @Test func `plain text to a port with TLS is refused, and TLS to one without`() throws {
    let certificate = try TestCertificate(in: folder)
    let secure = try ControlledBroadcast(
      options: ["--tls-cert", certificate.certificate, "--tls-key", certificate.key], in: folder)
    try secure.waitUntilLive()
    let token = try secure.token()
    for _ in 0..<20 {
      let client = try WireClient(port: secure.port, from: "127.0.0.9")
      client.send("POST /v1/stop HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(token)\r\n\r\n")
      client.finishSending()
      #expect(client.responsesUntilEnd() == [])
    }
    let right = try Tool.run([
      "curl", "-sS", "--max-time", "5", "--cacert", certificate.authority, "-H",
      "Authorization: Bearer \(token)", "https://127.0.0.1:\(secure.port)/v1/me",
    ])
    #expect(right.contains("\"role\":\"host\""))
    try requireWhole(secure)

    let folder = ScratchFolder()
    let plain = try ControlledBroadcast(in: folder)
    try plain.waitUntilLive()
    #expect(throws: TestFailure.self) {
      try Tool.run(["curl", "-sSk", "--max-time", "5", "https://127.0.0.1:\(plain.port)/v1/me"])
    }
    try requireCalm(plain, try plain.token())
    try requireWhole(plain)
  }
}
