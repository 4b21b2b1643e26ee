package import HoldfastHTTP
package import HoldfastMediaModel
import HoldfastPlatform

/// Issues and revokes the tokens of one session, or of all that a hub has.
package struct TokenIssuer: Sendable {
  package let secret: CurrentSecret
  private let session: String?
  private let revocations: Revocations

  package init(secret: TokenSecret, session: String?, revocations: Revocations) {
    self.secret = CurrentSecret(secret)
    self.session = session
    self.revocations = revocations
  }

  package var verifier: TokenVerifier {
    TokenVerifier(secret: secret, session: session, revocations: revocations)
  }

  /// A token that ends at `limit` at the latest.
  package func make(
    for name: String, _ role: Role, in session: String? = nil, lasting length: MediaTime,
    noLaterThan limit: WallTime? = nil,
    at now: WallTime
  ) throws(APIError) -> (text: String, token: Token) {
    let secret = secret.latest.secret
    do {
      let token = try Token(
        name: name, role: role, session: session ?? self.session ?? "", lasts: length, noLaterThan: limit,
        at: now, secret: secret)
      return (try token.text(signedWith: secret), token)
    } catch {
      throw APIError(422, "badValue", error.what, hint: error.hint)
    }
  }

  /// Only ids of this secret, so that no caller can fill the list with others.
  package func revoke(_ id: String, at now: WallTime) throws(APIError) {
    guard let expiry = IssuedID.expiry(of: id, secret: secret.latest.secret) else {
      throw APIError(
        404, "noSuchToken", "no token with this id was issued with the secret of this broadcast",
        hint: "send the whole token to /v1/revocations, or run holdfast token --revoke on its machine")
    }
    try revoke(id, expiring: expiry, at: now)
  }

  /// Revokes a whole token, whoever made it.
  ///
  /// A caller with a token for one session may revoke none of another.
  package func revoke(
    token text: String, at now: WallTime, ifOf session: SessionName? = nil
  ) throws(APIError) {
    let token: Token
    do throws(TokenError) {
      token = try verifier.signedToken(text)
    } catch {
      throw APIError(404, error.kind.rawValue, error.what, hint: error.hint)
    }
    guard session == nil || token.session == session else { throw APIError(.ofAnotherSession) }
    try revoke(token.id, expiring: token.expiresAt, at: now)
  }

  private func revoke(_ id: String, expiring expiry: WallTime, at now: WallTime) throws(APIError) {
    do {
      try revocations.revoke(id, expiring: expiry, at: now, leaving: Self.reserve)
    } catch {
      throw APIError(503, "notTaken", error.what, hint: error.hint)
    }
  }

  /// Entries of the list that only revocations on the machine itself may use.
  private static let reserve = 1000
}
