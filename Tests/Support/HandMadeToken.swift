import Foundation
package import HoldfastMediaModel
import HoldfastPlatform
package import HoldfastTokens

/// A token that is put together by hand, so that it may be wrong in any way.
package struct HandMadeToken {
  package static let key = Array("a secret of the tests, long enough".utf8)
  package static let now = WallTime(nanoseconds: 1_795_000_000_500_000_000)
  package static let second: Int64 = 1_795_000_000

  package var header = #"{"alg":"HS256","typ":"JWT"}"#
  package var claims =
    #"{"sub":"Anna","role":"manager","session":"stage","iat":1795000000,"exp":1795007200,"jti":"a1"}"#
  package var key = Self.key

  package init() {}

  /// With one claim written in another way, or left out.
  package static func with(_ name: String, _ json: String?) -> HandMadeToken {
    var token = HandMadeToken()
    let pieces = [
      ("sub", #""Anna""#), ("role", #""manager""#), ("session", #""stage""#), ("iat", "1795000000"),
      ("exp", "1795007200"), ("jti", #""a1""#),
    ].filter { $0.0 != name || json != nil }.map { ($0.0, $0.0 == name ? json ?? "" : $0.1) }
    let added = pieces.contains { $0.0 == name } ? [] : json.map { [(name, $0)] } ?? []
    token.claims = "{" + (pieces + added).map { #""\#($0.0)":\#($0.1)"# }.joined(separator: ",") + "}"
    return token
  }

  package static func with(header: String) -> HandMadeToken {
    var token = HandMadeToken()
    token.header = header
    return token
  }

  package var signedPart: String { Self.base64(Array(header.utf8)) + "." + Self.base64(Array(claims.utf8)) }

  package var text: String { signed(hmacSHA256(key: key, message: Array(signedPart.utf8))) }

  package func signed(_ signature: [UInt8]) -> String { signedPart + "." + Self.base64(signature) }

  package static func base64(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
      "=", with: "")
  }

  package static func verifier(
    session: String = "stage", key: [UInt8] = key, in scratch: ScratchFolder
  ) throws -> TokenVerifier {
    try TokenVerifier(
      secret: CurrentSecret(TokenSecret(key, from: "tests")), session: session,
      revocations: Revocations(folder: scratch.path))
  }
}

/// Why a token is refused; nil if it is accepted.
package func refusal(of text: String, by verifier: TokenVerifier, at now: WallTime = HandMadeToken.now)
  -> TokenError?
{
  failure { () throws(TokenError) in try verifier.verify(text, at: now) }
}

extension TokenIssuer {
  /// With a new secret.
  package init(in folder: ScratchFolder, session: String) throws {
    try TokenSecret.makeFile(folder.file("secret"))
    self.init(
      secret: try TokenSecret(contentsOf: folder.file("secret")), session: session,
      revocations: Revocations(folder: folder.path))
  }
}
