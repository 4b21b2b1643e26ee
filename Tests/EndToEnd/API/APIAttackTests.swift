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

  private func requireCalm(_ broadcast: ControlledBroadcast) throws {
    let answer = try #require(
      try WireClient(port: broadcast.port).request("GET", "/v1/status", token: broadcast.host, within: 20))
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
    let broadcast = try ControlledBroadcast(in: folder).whenLive()
    var attack = APIAttack(.broadcast(broadcast))
    let silent = try Crowd(300, port: broadcast.port, from: "127.0.3.3")
    #expect(try attack.run(revoked: revokedToken(broadcast)) == 50, "who drips stays")
    #expect(attack.findings == [])
    #expect(attack.answers > 1000)
    #expect(eventually { silent.sentAway() == 300 }, "who is silent stays")
    #expect(try broadcast.metric("failed_tokens_total") == Double(attack.refusedTokens))
    try requireCalm(broadcast)
    try requireWhole(broadcast)
  }

  /// A token that was valid until it was revoked.
  private func revokedToken(_ broadcast: ControlledBroadcast) throws -> String {
    let made = try broadcast.send("POST", "/v1/tokens", ["name": "Eve", "role": "host", "lasts": "2h"])
    let (text, id) = (try #require(made["token"]?.text), try #require(made["id"]?.text))
    #expect(try broadcast.send("GET", "/v1/me", token: text).status == 200)
    #expect(try broadcast.send("DELETE", "/v1/tokens/\(id)").status == 200)
    return text
  }

  @Test func `connections that fill the port block no one and lose no picture`() throws {
    try #require(raiseDescriptorLimit(to: 4096) >= 2600, "too few open files are allowed")
    let broadcast = try ControlledBroadcast(in: folder).whenLive()
    let crowd = try Crowd(1300, port: broadcast.port, from: "127.0.4.1")
    #expect(eventually { crowd.sentAway() >= 100 }, "1300 of one address have come in")
    let others = try Crowd(1000, port: broadcast.port, from: "127.0.4.2")
    // Connections idle for a second make room.
    let isHeard = eventually {
      let client = try? WireClient(port: broadcast.port)
      return client?.request("GET", "/v1/me", token: broadcast.host, within: 20)?.status == 200
    }
    #expect(isHeard)
    #expect(others.sentAway() + crowd.sentAway() >= 252)
    let local = try broadcast.subject.ctl("status")
    #expect(local.status == 0, "\(local)")
    try requireCalm(broadcast)
    try requireWhole(broadcast)
  }

  @Test func `plain text to a port with TLS is refused, and TLS to one without`() throws {
    let certificate = try TestCertificate(in: folder)
    let secure = try ControlledBroadcast(
      options: ["--tls-cert", certificate.certificate, "--tls-key", certificate.key], in: folder
    ).whenLive()
    for _ in 0..<20 {
      let client = try WireClient(port: secure.port, from: "127.0.0.9")
      client.send("POST /v1/stop HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(secure.host)\r\n\r\n")
      client.finishSending()
      #expect(client.responsesUntilEnd() == [])
    }
    let right = try Tool.run([
      "curl", "-sS", "--max-time", "5", "--cacert", certificate.authority, "-H",
      "Authorization: Bearer \(secure.host)", "https://127.0.0.1:\(secure.port)/v1/me",
    ])
    #expect(right.contains("\"role\":\"host\""))
    try requireWhole(secure)

    let plain = try ControlledBroadcast(in: ScratchFolder()).whenLive()
    #expect(throws: TestFailure.self) {
      try Tool.run(["curl", "-sSk", "--max-time", "5", "https://127.0.0.1:\(plain.port)/v1/me"])
    }
    try requireCalm(plain)
    try requireWhole(plain)
  }
}
