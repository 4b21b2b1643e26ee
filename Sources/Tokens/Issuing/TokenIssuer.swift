package import HoldfastHTTP
package import HoldfastMediaModel
import HoldfastPlatform

/// Issues and revokes the tokens of one session, or of all that a hub has.
package struct TokenIssuer: Sendable {
  package let secret: CurrentSecret
  private let session: String?
  package let revocations: Revocations

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

  /// What revokes an id: only one of this secret, so that no caller can fill the list with others.
  package func revocation(ofID id: String, at now: WallTime) throws(APIError) -> Revocation {
    guard let expiry = IssuedID.expiry(of: id, secret: secret.latest.secret) else {
      throw APIError(
        404, "noSuchToken", "no token with this id was issued with this secret",
        hint: "send the whole token to /v1/revocations, or run holdfast token --revoke on its machine")
    }
    return Revocation(id: id, end: Revocations.end(of: expiry, at: now))
  }

  /// What revokes a whole token, whoever made it.
  ///
  /// A caller with a token for one session may revoke none of another.
  package func revocation(
    of text: String, ifOf session: SessionName? = nil, at now: WallTime
  ) throws(APIError) -> Revocation {
    let token = try mapError(verifier.signedToken(text)) { (error: TokenError) in
      APIError(404, error.kind.rawValue, error.what, hint: error.hint)
    }
    guard session == nil || token.session == session else { throw APIError(.ofAnotherSession) }
    return Revocation(id: token.id, end: Revocations.end(of: token.expiresAt, at: now))
  }

  package func revoke(_ id: String, at now: WallTime) throws(APIError) {
    try revoke(revocation(ofID: id, at: now), at: now)
  }

  package func revoke(token text: String, at now: WallTime) throws(APIError) {
    try revoke(revocation(of: text, at: now), at: now)
  }

  /// Once this returns the token is refused here. So many entries of the list as `reserve` stay unused.
  package func revoke(
    _ revocation: Revocation, at now: WallTime, leaving reserve: Int = reserve
  ) throws(APIError) {
    try mapError(revocations.revoke(revocation, at: now, leaving: reserve)) { (error: TokenFileError) in
      APIError(503, "notTaken", error.what, hint: error.hint)
    }
  }

  /// Entries of the list that only revocations on the machine itself may use, or those of a hub's operators.
  package static let reserve = 1000
}

extension TokenIssuer? {
  /// Refuses the request where no tokens are issued.
  package func required() throws(APIError) -> TokenIssuer {
    guard let self else {
      throw .notPossible("no secret to sign tokens with", hint: "start with --token-secret FILE")
    }
    return self
  }
}
