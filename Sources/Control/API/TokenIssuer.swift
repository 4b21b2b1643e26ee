import HoldfastMediaModel
import HoldfastPlatform

/// Issues and revokes the tokens of one session.
package struct TokenIssuer: Sendable {
  private let secret: TokenSecret
  private let session: String
  private let revocations: Revocations

  package init(secret: TokenSecret, session: String, revocations: Revocations) {
    self.secret = secret
    self.session = session
    self.revocations = revocations
  }

  package var verifier: TokenVerifier {
    TokenVerifier(secret: secret, session: session, revocations: revocations)
  }

  func make(
    for name: String, _ role: Role, lasting length: MediaTime, at now: WallTime
  ) throws(APIError) -> (text: String, token: Token) {
    do {
      let token = try Token(name: name, role: role, session: session, lasts: length, at: now)
      return (try token.text(signedWith: secret), token)
    } catch {
      throw APIError(422, "badValue", error.what, hint: error.hint)
    }
  }

  /// `id` is taken from a path without unescaping.
  func revoke(_ id: String, at now: WallTime) throws(APIError) {
    guard Token.isID(id), id.allSatisfy({ $0.isLetter || $0.isNumber || "-._~".contains($0) }) else {
      throw APIError(
        422, "badValue", "not a token id", hint: "holdfast token prints it with the token")
    }
    do {
      try revocations.revoke(id, at: now)
    } catch {
      throw APIError(503, "notTaken", error.what, hint: error.hint)
    }
  }
}
