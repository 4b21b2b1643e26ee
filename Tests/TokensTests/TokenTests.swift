import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastTokens

@Suite struct TokenTests {
  private let now = HandMadeToken.now

  private func secret(_ key: [UInt8] = HandMadeToken.key) throws -> TokenSecret {
    try TokenSecret(key, from: "tests")
  }

  private func token(
    name: String = "Anna", session: String = "stage", lasts: MediaTime = .seconds(7200)
  ) throws -> Token {
    try Token(name: name, role: .manager, session: session, lasts: lasts, at: now, secret: secret())
  }

  @Test func `a new token has a standard signature`() throws {
    let token = try token()
    let parts = try token.text(signedWith: secret()).split(separator: ".")
    let signature = hmacSHA256(key: HandMadeToken.key, message: Array("\(parts[0]).\(parts[1])".utf8))
    #expect(parts.count == 3 && parts[2] == HandMadeToken.base64(signature))
  }

  @Test func `a new token contains all its claims`() throws {
    let token = try token()
    let parts = try token.text(signedWith: secret()).utf8.split(separator: UInt8(ascii: "."))
    let read = parts.prefix(2).compactMap(Base64URL.bytes).compactMap { try? JSONValue(reading: $0.span) }
    #expect(read.first?.field("alg") == "HS256" && read.first?.field("typ") == "JWT")
    let claims = try #require(read.last)
    let claimed = ["sub", "role", "session", "jti"].map { claims.field($0)?.text }
    #expect(claimed == ["Anna", "manager", "stage", token.id])
    #expect(claims.field("iat") == .integer(1_795_000_000))
    // Half a second longer than asked for, never shorter.
    #expect(claims.field("exp") == .integer(1_795_007_201))
  }

  @Test(arguments: ["Anna", "Zoë \"Z\" \\ /", "👩‍👩‍👧‍👦", String(repeating: "ß", count: 200)])
  func `a new token is accepted`(name: String) throws {
    let scratch = ScratchFolder()
    let token = try token(name: name)
    let caller = try HandMadeToken.verifier(in: scratch).verify(token.text(signedWith: secret()), at: now)
    #expect(
      caller
        == Caller(
          name: name, role: .manager, session: SessionName("stage"), expiresAt: token.expiresAt,
          tokenID: token.id, secretNumber: 1))
  }

  @Test(arguments: [MediaTime.seconds(1), .milliseconds(1500), .seconds(366 * 86_400)])
  func `the shortest and the longest token are valid for their whole time`(lasts: MediaTime) throws {
    let scratch = ScratchFolder()
    let text = try token(lasts: lasts).text(signedWith: secret())
    let verifier = try HandMadeToken.verifier(in: scratch)
    #expect(refusal(of: text, by: verifier) == nil)
    let last = WallTime(nanoseconds: now.nanoseconds + lasts.nanoseconds - 1)
    #expect(refusal(of: text, by: verifier, at: last) == nil)
    let over = WallTime(nanoseconds: last.nanoseconds + 1_000_000_000)
    #expect(refusal(of: text, by: verifier, at: over)?.kind == .expired)
  }

  @Test(
    arguments: [.zero, .milliseconds(999), .seconds(-5), .seconds(366 * 86_400) + .milliseconds(1)]
      as [MediaTime])
  func `a token lifetime shorter or longer than allowed is rejected`(lasts: MediaTime) {
    #expect(throws: InvalidValue.self) { try token(lasts: lasts) }
  }

  @Test(arguments: [
    "", " ", "\t", String(repeating: "x", count: 201), "a\u{0}", "a\u{1B}[31m", "a\u{7F}", "a\u{85}",
    "a\u{2028}b", "\u{202E}a", "a\r\nb",
  ])
  func `a name that is too long or can't be shown is refused, not cut`(name: String) {
    #expect(throws: InvalidValue.self) { try token(name: name) }
  }

  @Test(arguments: [
    ("", false), (String(repeating: "x", count: 150), true), (String(repeating: "x", count: 151), false),
  ])
  func `a session name must have 1 to 150 characters`(session: String, isTaken: Bool) {
    #expect(((try? token(session: session)) != nil) == isTaken)
  }

  @Test func `a name of many long characters is refused where the token would get too long`() throws {
    let token = try token(name: String(repeating: "👩‍👩‍👧‍👦", count: 200))
    #expect(throws: InvalidValue.self) { try token.text(signedWith: secret()) }
  }

  @Test func `every token has its own id of 128 bits`() throws {
    let ids = try (0..<100).map { _ in try token().id }
    #expect(Set(ids).count == 100 && ids.allSatisfy { $0.count == 58 && $0.allSatisfy(\.isHexDigit) })
  }

  /// RFC 7515, appendix A.1.
  @Test func `the token standard's own example has a valid signature`() throws {
    let text =
      "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFt"
      + "cGxlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    let key = Base64URL.bytes(
      of: "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow".utf8)
    #expect(Token.isSigned(text, with: try secret(#require(key))))
  }

  @Test func `base64url is read at every length`() {
    for count in 0..<70 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 151 + count) }
      #expect(Base64URL.bytes(of: HandMadeToken.base64(bytes).utf8) == bytes)
    }
  }

  @Test(arguments: ["A", "AAAAA", "AB", "AAB", "AA==", "A A", "AA\n", "A+A/", "ÄÄ"])
  func `text that no encoder writes is not base64url`(text: String) {
    #expect(Base64URL.bytes(of: text.utf8) == nil)
  }
}
