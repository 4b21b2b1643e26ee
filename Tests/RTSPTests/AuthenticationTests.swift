import HoldfastMediaModel
import HoldfastRTSP
import Testing

/// The digests of these tests show what went into them: `<…>` is MD5, `{…}` SHA-256.
@Suite struct AuthenticationTests {
  private static let url = "rtsp://Aladdin:open%20sesame@host/x"

  private func authorizations(_ challenges: [String]) throws -> [String?] {
    let answer = ScriptedServer.Answer(status: 401, headers: challenges.map { ("WWW-Authenticate", $0) })
    let talk = try Conversation(Self.url, answers: ["ANNOUNCE": [answer]], sendsBasic: true).begun()
    return talk.server.requests.map { $0.headers["Authorization"] }
  }

  private func challenge(_ text: String) -> ScriptedServer.Answer {
    .init(status: 401, headers: [("WWW-Authenticate", text)])
  }

  @Test func `user and password are sent once the server asks, and from then on`() throws {
    let basic = "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="
    #expect(try authorizations(["Basic realm=\"here\""]) == [nil, nil, basic, basic, basic, basic])
  }

  @Test(arguments: [
    ("rtsp://me:secret@host/x", "Basic realm=\"b\"", false),
    ("rtsp://me:secret@host/x", "Digest realm=\"d\", nonce=\"n\"", true),
    ("rtsp://me:secret@host/x", "Basic realm=\"b\", Digest realm=\"d\", nonce=\"n\"", true),
    ("rtsps://me:secret@host/x", "Basic realm=\"b\"", true),
  ])
  func `user and password are sent in the clear to nobody`(
    url: String, challenge: String, isSent: Bool
  ) throws {
    let talk = try Conversation(url, answers: ["ANNOUNCE": [self.challenge(challenge)]]).begun()
    #expect(talk.server.requests.contains { $0.headers["Authorization"] != nil } == isSent)
    #expect(talk.refusal?.kind == (isSent ? nil : .unencryptedPassword))
  }

  @Test func `the older form of Digest has no request count`() throws {
    let shown = try authorizations(["Digest realm=\"r\", nonce=\"n\""])
    #expect(
      shown[2] == """
        Digest username="Aladdin", realm="r", nonce="n", uri="rtsp://host/x", \
        response="<<Aladdin:r:open sesame>:n:<ANNOUNCE:rtsp://host/x>>"
        """)
  }

  @Test func `a Digest with a quality of protection counts each request`() throws {
    let shown = try authorizations(["Digest realm=\"r\", nonce=\"n\", qop=\"auth,auth-int\", opaque=\"o\""])
    #expect(
      shown[2] == """
        Digest username="Aladdin", realm="r", nonce="n", uri="rtsp://host/x", \
        response="<<Aladdin:r:open sesame>:n:00000001:ours:auth:<ANNOUNCE:rtsp://host/x>>", opaque="o", \
        qop=auth, nc=00000001, cnonce="ours"
        """)
    #expect((shown[3]?.contains("nc=00000002"), shown[4]?.contains("nc=00000003")) == (true, true))
  }

  @Test func `SHA-256 is used if the server offers it`() throws {
    let shown = try authorizations(["Digest realm=\"r\", nonce=\"n\", algorithm=SHA-256"])
    let response = "{{Aladdin:r:open sesame}:n:{ANNOUNCE:rtsp://host/x}}"
    #expect(shown[2]?.contains("response=\"\(response)\", algorithm=SHA-256") == true)
  }

  @Test func `an MD5-sess digest has both nonces in its secret`() throws {
    let shown = try authorizations(["Digest realm=\"r\", nonce=\"n\", algorithm=MD5-sess, qop=\"auth\""])
    let response = "<<<Aladdin:r:open sesame>:n:ours>:n:00000001:ours:auth:<ANNOUNCE:rtsp://host/x>>"
    #expect(shown[2]?.contains("response=\"\(response)\"") == true)
  }

  @Test(arguments: [
    (["Basic realm=\"b\"", "Digest realm=\"d\", nonce=\"n\""], "realm=\"d\""),
    (
      ["Digest realm=\"5\", nonce=\"n\", Digest realm=\"256\", nonce=\"m\", algorithm=SHA-256"],
      "realm=\"256\""
    ),
    (["Digest realm=\"x\", nonce=\"n\", algorithm=SHA-512-256", "Basic realm=\"b\""], "Basic "),
    (["Digest realm=\"x\", nonce=\"n\", qop=\"auth-int\", Basic realm=\"b\""], "Basic "),
    (["Bearer realm=\"x\"", "BASIC realm=\"b\""], "Basic "),
  ])
  func `the best supported one of several challenges is answered`(
    challenges: [String], expected: String
  ) throws {
    #expect(try authorizations(challenges)[2]?.contains(expected) == true)
  }

  @Test(arguments: [
    "", "Digest", "Digest realm=\"x\"", "Bearer realm=\"x\"", "Digest realm=\"x, nonce=", "=,=\"\\",
  ])
  func `a challenge that cannot be answered is a refusal`(challenge: String) throws {
    let talk = try Conversation(Self.url, answers: ["ANNOUNCE": [self.challenge(challenge)]]).begun()
    #expect(talk.refusal?.kind == .credentials)
  }

  @Test func `escaped quotes in a realm are sent back as received`() throws {
    let shown = try authorizations([#"Digest realm="a \"b\" \\c", nonce="n""#])
    #expect(shown[2]?.contains(#"realm="a \"b\" \\c""#) == true)
  }

  @Test func `a wrong password is refused after one try`() throws {
    let challenges = (1...4).map { challenge("Digest realm=\"r\", nonce=\"\($0)\"") }
    let talk = try Conversation(Self.url, answers: ["ANNOUNCE": challenges]).begun()
    #expect((talk.refusal?.kind, talk.server.asked) == (.credentials, ["OPTIONS", "ANNOUNCE", "ANNOUNCE"]))
  }

  @Test func `a stale nonce is replaced`() throws {
    let first = challenge("Digest realm=\"r\", nonce=\"1\"")
    let second = challenge("Digest realm=\"r\", nonce=\"2\", stale=TRUE")
    let talk = try Conversation(Self.url, answers: ["ANNOUNCE": [first], "RECORD": [second]]).begun()
    #expect(talk.events == [.accepted])
    #expect(talk.server.requests.last?.headers["Authorization"]?.contains("nonce=\"2\"") == true)
  }

  @Test func `a server that calls every nonce stale is soon given up`() throws {
    let stale = challenge("Digest realm=\"r\", nonce=\"1\", stale=true")
    let answers = ["ANNOUNCE": Array(repeating: stale, count: 100)]
    let talk = try Conversation(Self.url, answers: answers).begun()
    #expect(talk.refusal != nil && talk.server.asked.count < 6)
  }

  @Test func `a probe refused for its stale nonce counts as answered`() throws {
    let first = challenge("Digest realm=\"r\", nonce=\"1\", stale=true")
    let second = challenge("Digest realm=\"r\", nonce=\"2\", stale=true")
    let answers = ["ANNOUNCE": [first], "GET_PARAMETER": [second]]
    var talk = try Conversation(Self.url, answers: answers).begun()
    for _ in 0..<2 { try talk.probe() }
    #expect(talk.events == [.accepted, .answered(after: .zero), .answered(after: .zero)])
    #expect(talk.server.requests.last?.headers["Authorization"]?.contains("nonce=\"2\"") == true)
  }

  @Test func `no credentials are sent to a server that does not ask`() throws {
    let talk = try Conversation(Self.url).begun()
    #expect(talk.server.requests.allSatisfy { $0.headers["Authorization"] == nil })
  }
}
