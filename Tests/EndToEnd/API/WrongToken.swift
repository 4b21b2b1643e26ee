import Foundation
import TestSupport

/// A handmade token with one flaw.
struct WrongToken {
  let name: String
  /// The error code expected in the refusal.
  let code: String
  let text: String

  /// A token of each kind, for a broadcast with this secret and name.
  static func all(secret: [UInt8], session: String) -> [WrongToken] {
    let now = Int(Date().timeIntervalSince1970)
    func claims(_ changed: [String: Any] = [:]) -> String {
      let usual: [String: Any] = [
        "sub": "Eve", "role": "host", "session": session, "iat": now - 60, "exp": now + 3600, "jti": "e1",
      ]
      let data = try? JSONSerialization.data(withJSONObject: usual.merging(changed) { $1 })
      return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
    func signed(
      _ claims: String, header: String = #"{"alg":"HS256","typ":"JWT"}"#, with key: [UInt8] = secret
    ) -> String {
      var token = HandMadeToken()
      (token.claims, token.header, token.key) = (claims, header, key)
      return token.text
    }
    var unsigned = HandMadeToken.with(header: #"{"alg":"none"}"#)
    unsigned.claims = claims()
    let good = signed(claims())
    let tokens: [(String, String, String)] = [
      ("expired", "tokenExpired", signed(claims(["iat": now - 7200, "exp": now - 3600]))),
      ("of tomorrow", "tokenNotYetValid", signed(claims(["iat": now + 80_000, "exp": now + 90_000]))),
      ("another key", "tokenForged", signed(claims(), with: Array("x".utf8) + secret)),
      ("without an algorithm", "tokenForged", unsigned.signed([])),
      ("without an algorithm, signed", "tokenForged", signed(claims(), header: #"{"alg":"none"}"#)),
      ("RS256", "tokenForged", signed(claims(), header: #"{"alg":"RS256"}"#)),
      ("of another session", "tokenOfAnotherSession", signed(claims(["session": "elsewhere"]))),
      ("cut off", "tokenForged", String(good.dropLast(3))),
      ("one part", "tokenMalformed", "abc"),
      ("too long", "tokenMalformed", good + String(repeating: "A", count: 5000)),
      ("a role that there is not", "tokenMalformed", signed(claims(["role": "root"]))),
      ("a claim twice", "tokenMalformed", signed(#"{"role":"participant",\#(claims().dropFirst())"#)),
      ("a number for a name", "tokenMalformed", signed(claims(["sub": 7]))),
    ]
    return tokens.map(WrongToken.init)
  }
}
