import Foundation
import HoldfastPlatform

/// A token put together by hand, wrong in one way.
struct WrongToken {
  let name: String
  /// The code that it has to be refused with.
  let code: String
  let text: String

  /// Each kind, for a broadcast with this secret and name.
  static func all(secret: [UInt8], session: String) -> [WrongToken] {
    let now = Int(Date().timeIntervalSince1970)
    func claims(_ changed: [String: Any] = [:]) -> String {
      let usual: [String: Any] = [
        "sub": "Eve", "role": "host", "session": session, "iat": now - 60, "exp": now + 3600, "jti": "e1",
      ]
      let data = try? JSONSerialization.data(withJSONObject: usual.merging(changed) { $1 })
      return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
    func signed(_ claims: String, header: String = #"{"alg":"HS256","typ":"JWT"}"#, with key: [UInt8])
      -> String
    {
      let part = base64(Array(header.utf8)) + "." + base64(Array(claims.utf8))
      return part + "." + base64(hmacSHA256(key: key, message: Array(part.utf8)))
    }
    let unsigned = base64(Array(#"{"alg":"none"}"#.utf8)) + "." + base64(Array(claims().utf8)) + "."
    let good = signed(claims(), with: secret)
    return [
      WrongToken(
        name: "expired", code: "tokenExpired",
        text: signed(claims(["iat": now - 7200, "exp": now - 3600]), with: secret)),
      WrongToken(
        name: "of tomorrow", code: "tokenNotYetValid",
        text: signed(claims(["iat": now + 80_000, "exp": now + 90_000]), with: secret)),
      WrongToken(
        name: "another key", code: "tokenForged", text: signed(claims(), with: Array("x".utf8) + secret)),
      WrongToken(name: "without an algorithm", code: "tokenForged", text: unsigned),
      WrongToken(
        name: "without an algorithm, signed", code: "tokenForged",
        text: signed(claims(), header: #"{"alg":"none"}"#, with: secret)),
      WrongToken(
        name: "RS256", code: "tokenForged", text: signed(claims(), header: #"{"alg":"RS256"}"#, with: secret)),
      WrongToken(
        name: "of another session", code: "tokenOfAnotherSession",
        text: signed(claims(["session": "elsewhere"]), with: secret)),
      WrongToken(name: "cut off", code: "tokenForged", text: String(good.dropLast(3))),
      WrongToken(name: "one part", code: "tokenMalformed", text: "abc"),
      WrongToken(name: "too long", code: "tokenMalformed", text: good + String(repeating: "A", count: 5000)),
      WrongToken(
        name: "a role that there is not", code: "tokenMalformed",
        text: signed(claims(["role": "root"]), with: secret)),
      WrongToken(
        name: "a claim twice", code: "tokenMalformed",
        text: signed(#"{"role":"participant",\#(claims().dropFirst())"#, with: secret)),
      WrongToken(
        name: "a number for a name", code: "tokenMalformed", text: signed(claims(["sub": 7]), with: secret)),
    ]
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
      "=", with: "")
  }
}
