package import HoldfastMediaModel
import HoldfastPlatform

/// Verifies tokens and identifies their callers.
package struct TokenVerifier: Sendable {
  private let secret: CurrentSecret
  /// Nil for a hub, which compares it with the session that is asked for.
  private let session: SessionName?
  private let revocations: Revocations
  /// Callers send the same token with each request.
  private let signed = Memo<Signed, UncheckedToken>(capacity: 16_384)

  /// A token's text, and the number of the secret that it is signed with.
  private struct Signed: Hashable, Sendable {
    let text: String
    let secret: Int
  }

  package init(secret: CurrentSecret, session: String?, revocations: Revocations) {
    self.secret = secret
    self.session = session.map(SessionName.init)
    self.revocations = revocations
  }

  /// Until the signature is checked, the claims may only be used to refuse the token.
  package func verify(_ text: String, at now: WallTime) throws(TokenError) -> Caller {
    let secret = secret.latest
    let unchecked = try signed.value(Signed(text: text, secret: secret.number)) { (key) throws(TokenError) in
      let unchecked = try UncheckedToken(reading: key.text)
      guard Token.isSigned(key.text, with: secret.secret) else { throw .forged }
      return unchecked
    }
    let token = unchecked.token
    guard token.expiresAt > now else { throw .expired }
    let latest = now.nanoseconds + Token.leeway.nanoseconds
    guard max(token.issuedAt, unchecked.notBefore ?? token.issuedAt).nanoseconds <= latest else {
      throw .notYetValid
    }
    guard isFor(token) else { throw .ofAnotherSession }
    let isRevoked = try mapError(revocations.contains(token.id)) { (error: TokenFileError) in
      TokenError.unknownWhetherRevoked(error)
    }
    if isRevoked { throw .revoked }
    return Caller(
      name: token.name, role: token.role, session: token.session, expiresAt: token.expiresAt,
      tokenID: token.id,
      secretNumber: secret.number)
  }

  /// The token of `text` if it is signed with the secret and for this session, valid or not.
  func signedToken(_ text: String) throws(TokenError) -> Token {
    let token = try UncheckedToken(reading: text).token
    guard Token.isSigned(text, with: secret.latest.secret) else { throw .forged }
    guard isFor(token) else { throw .ofAnotherSession }
    return token
  }

  private func isFor(_ token: Token) -> Bool { session.map { $0 == token.session } ?? true }

  /// Why the token of an admitted caller is not valid any more; nil if it is.
  func refusal(of caller: Caller, at now: WallTime) -> TokenError? {
    guard caller.secretNumber == secret.latest.number, let id = caller.tokenID else { return .forged }
    guard let end = caller.expiresAt, end > now else { return .expired }
    do throws(TokenFileError) {
      return try revocations.contains(id) ? .revoked : nil
    } catch {
      return .unknownWhetherRevoked(error)
    }
  }
}
