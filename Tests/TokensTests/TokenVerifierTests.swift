import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastTokens

@Suite struct TokenVerifierTests {
  private let scratch = ScratchFolder()
  private let verifier: TokenVerifier

  init() throws { verifier = try HandMadeToken.verifier(in: scratch) }

  @Test func `a token identifies its sender`() throws {
    let caller = try verifier.verify(HandMadeToken().text, at: HandMadeToken.now)
    #expect(
      caller
        == Caller(
          name: "Anna", role: .manager, session: SessionName("stage"),
          expiresAt: WallTime(nanoseconds: 1_795_007_200_000_000_000), tokenID: "a1", secretNumber: 1))
  }

  @Test(arguments: [
    #"{"alg":"HS256"}"#, #"{"typ":"jwt","alg":"HS256"}"#, #"{"alg":"HS256","kid":"1"}"#,
    "{\"typ\":\"JWT\",\r\n \"alg\":\"HS256\"}",
  ])
  func `other token headers with the same meaning are accepted`(header: String) {
    #expect(refusal(of: HandMadeToken.with(header: header).text, by: verifier) == nil)
  }

  @Test(
    arguments: [
      (#"{"alg":"none"}"#, .forged), (#"{"alg":"None"}"#, .forged), (#"{"alg":"HS512"}"#, .forged),
      (#"{"alg":"RS256"}"#, .forged), (#"{"alg":"hs256"}"#, .forged), (#"{"alg":""}"#, .forged),
      (#"{"typ":"JWT"}"#, .malformed), (#"{"alg":1}"#, .malformed), (#"{"alg":null}"#, .malformed),
      (#"{"alg":["HS256"]}"#, .malformed), (#"{"alg":"HS256","typ":"JOSE"}"#, .malformed),
      (#"{"alg":"HS256","typ":1}"#, .malformed), (#"{"alg":"HS256","crit":["exp"]}"#, .malformed),
      (#"{"alg":"HS256","crit":[]}"#, .malformed), (#"{"alg":"none","alg":"HS256"}"#, .malformed),
      (#"{"alg":"HS256","alg":"none"}"#, .malformed), (#"{"alg":"HS256","\u0061lg":"none"}"#, .malformed),
      ("[]", .malformed), ("\"HS256\"", .malformed), ("", .malformed), ("{", .malformed),
    ] as [(String, TokenFault)])
  func `a token header with another meaning is refused, even if it is signed`(
    header: String, code: TokenFault
  ) {
    #expect(refusal(of: HandMadeToken.with(header: header).text, by: verifier)?.kind == code)
  }

  @Test(arguments: [[], [0], [UInt8](repeating: 0, count: 32)] as [[UInt8]])
  func `a token that claims to need no signature is forged`(signature: [UInt8]) {
    let text = HandMadeToken.with(header: #"{"alg":"none","typ":"JWT"}"#).signed(signature)
    #expect(refusal(of: text, by: verifier)?.kind == .forged)
  }

  @Test(
    arguments: [
      ("exp", nil, .malformed), ("exp", "1795000000", .malformed), ("exp", "0", .malformed),
      ("exp", "-1", .malformed), ("exp", "1795007200.0", .malformed), ("exp", "1.7950072e9", .malformed),
      ("exp", #""1795007200""#, .malformed), ("exp", "true", .malformed), ("exp", "null", .malformed),
      ("exp", "9223372036854775807", .malformed), ("exp", "9223372036854775808", .malformed),
      ("exp", "18446744073709551616", .malformed), ("exp", "1e400", .malformed),
      ("exp", "[1795007200]", .malformed), ("exp", "1826622461", .malformed), ("exp", "1826622460", nil),
      ("iat", nil, .malformed), ("iat", "1795000060", nil), ("iat", "1795000061", .notYetValid),
      ("iat", "-5", .malformed), ("iat", #""now""#, .malformed), ("nbf", "1795000060", nil),
      ("nbf", "1795000061", .notYetValid), ("nbf", #""later""#, .malformed),
      ("aud", #""another""#, .malformed), ("sub", nil, .malformed), ("sub", "5", .malformed),
      ("sub", #""""#, .malformed), ("sub", #"" ""#, .malformed), ("sub", #""a\nb""#, .malformed),
      ("sub", #""a\u0000""#, .malformed), ("sub", #""\u202egnp""#, .malformed),
      ("sub", #""\ud800""#, .malformed), ("role", nil, .malformed), ("role", #""Host""#, .malformed),
      ("role", #""root""#, .malformed), ("role", #"["host"]"#, .malformed), ("session", nil, .malformed),
      ("session", #""STAGE""#, nil), ("session", #""stage2""#, .ofAnotherSession),
      ("session", #""stage ""#, .ofAnotherSession), ("session", #"["stage"]"#, .malformed),
      ("jti", nil, .malformed), ("jti", #""""#, .malformed), ("jti", #""a b""#, .malformed),
      ("jti", "7", .malformed), ("more", "{}", nil),
    ] as [(String, String?, TokenFault?)])
  func `each claim of a token is read strictly`(name: String, json: String?, code: TokenFault?) {
    #expect(refusal(of: HandMadeToken.with(name, json).text, by: verifier)?.kind == code)
  }

  @Test(arguments: [("sub", 200, true), ("sub", 201, false), ("session", 150, true), ("session", 151, false)])
  func `names in a token that exceed the limit are rejected`(name: String, count: Int, isRead: Bool) {
    let long = String(repeating: "x", count: count)
    let code = refusal(of: HandMadeToken.with(name, "\"\(long)\"").text, by: verifier)?.kind
    #expect((code != .malformed) == isRead)
  }

  @Test func `a token with a duplicate claim is refused`() {
    var token = HandMadeToken()
    token.claims = token.claims.dropLast() + #","role":"host"}"#
    #expect(refusal(of: token.text, by: verifier)?.kind == .malformed)
  }

  @Test func `a token is valid until the second in which it expires`() {
    let text = HandMadeToken().text
    let end = WallTime(nanoseconds: 1_795_007_200_000_000_000)
    #expect(refusal(of: text, by: verifier, at: WallTime(nanoseconds: end.nanoseconds - 1)) == nil)
    #expect(refusal(of: text, by: verifier, at: end)?.kind == .expired)
  }

  @Test func `a token signed with another secret is forged`() {
    var token = HandMadeToken()
    token.key[0] ^= 1
    #expect(refusal(of: token.text, by: verifier)?.kind == .forged)
  }

  @Test(arguments: [("Bühne", "BU\u{308}HNE"), ("ΣΚΗΝΗ", "σκηνη"), ("Stage", "sTAGE")])
  func `session names ignore case and Unicode composition`(name: String, session: String) throws {
    let verifier = try HandMadeToken.verifier(session: name, in: scratch)
    #expect(refusal(of: HandMadeToken.with("session", "\"\(session)\"").text, by: verifier) == nil)
  }

  @Test(
    arguments: [
      (" \(HandMadeToken().text)", .malformed), ("\(HandMadeToken().text)\n", .malformed),
      ("\(HandMadeToken().text)=", .malformed), ("\(HandMadeToken().text).", .malformed),
      (".\(HandMadeToken().text)", .malformed), ("\(HandMadeToken().text)A", .forged),
      ("\(HandMadeToken().text)AA", .malformed), ("..", .malformed), (".", .malformed), ("x", .malformed),
      ("", .missing), ("ä.ö.ü", .malformed), ("\0", .malformed), (HandMadeToken().signedPart, .malformed),
      (HandMadeToken().signedPart + ".", .forged), (String(repeating: "A", count: 4097), .malformed),
      (String(repeating: "a.", count: 2000), .malformed),
      (String(repeating: ".", count: 100_000), .malformed),
    ] as [(String, TokenFault)])
  func `text that does not have the form of a token is refused`(text: String, code: TokenFault) {
    #expect(refusal(of: text, by: verifier)?.kind == code)
  }

  @Test func `standard base64 is not accepted as base64url`() {
    // The name makes both of the letters that differ.
    let token = HandMadeToken.with("sub", #""¾¿~~~???>>>""#)
    #expect(refusal(of: token.text, by: verifier) == nil)
    let other = token.text.replacing("-", with: "+").replacing("_", with: "/")
    #expect(other != token.text)
    #expect(refusal(of: other, by: verifier)?.kind == .malformed)
  }

  @Test func `an error about a token reveals nothing of the token or the secret`() {
    let texts = [HandMadeToken().text + "AA", HandMadeToken.with("sub", #""a\nb""#).text, "secretsecret"]
    for text in texts {
      let said = "\(String(describing: refusal(of: text, by: verifier)))"
      #expect(!said.contains("secretsecret") && !said.contains("Anna") && !said.contains("long enough"))
      #expect(!text.split(separator: ".").contains { said.contains($0) })
    }
  }
}
