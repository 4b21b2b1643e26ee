package import HoldfastMediaModel

/// Verifies tokens and identifies their callers.
package struct TokenVerifier: Sendable {
  private let secret: TokenSecret
  private let session: SessionName
  private let revocations: Revocations

  package init(secret: TokenSecret, session: String, revocations: Revocations) {
    self.secret = secret
    self.session = SessionName(session)
    self.revocations = revocations
  }

  /// Until the signature is checked, the claims may only be used to refuse the token.
  package func verify(_ text: String, at now: WallTime) throws(TokenError) -> Caller {
    let unchecked = try UncheckedToken(reading: text)
    guard Token.isSigned(text, with: secret) else { throw .forged }
    let token = unchecked.token
    guard token.expiresAt > now else { throw .expired }
    let latest = now.nanoseconds + Token.leeway.nanoseconds
    guard max(token.issuedAt, unchecked.notBefore ?? token.issuedAt).nanoseconds <= latest else {
      throw .notYetValid
    }
    guard token.session == session else { throw .ofAnotherSession }
    let isRevoked: Bool
    do throws(TokenFileError) {
      isRevoked = try revocations.contains(token.id)
    } catch {
      throw .unknownWhetherRevoked(error)
    }
    if isRevoked { throw .revoked }
    return Caller(name: token.name, role: token.role, expiresAt: token.expiresAt, tokenID: token.id)
  }

  func isStillValid(_ caller: Caller, at now: WallTime) -> Bool {
    guard let id = caller.tokenID, let end = caller.expiresAt, end > now else { return false }
    return (try? revocations.contains(id)) == false
  }
}
