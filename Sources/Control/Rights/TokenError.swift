/// Why a token is refused. Holds neither the token nor any part of the secret.
package struct TokenError: Error, Hashable, Sendable {
  package enum Code: String, Hashable, Sendable, CaseIterable {
    case missing = "tokenMissing"
    case malformed = "tokenMalformed"
    case forged = "tokenForged"
    case expired = "tokenExpired"
    case notYetValid = "tokenNotYetValid"
    case ofAnotherSession = "tokenOfAnotherSession"
    case revoked = "tokenRevoked"
  }

  package let code: Code
  package let message: String
  package let hint: String

  private init(_ code: Code, _ message: String, _ hint: String) {
    self.code = code
    self.message = message
    self.hint = hint
  }

  private static let askAnew = "ask the host for a new one"

  package static let missing = TokenError(
    .missing, "a token is required", "send Authorization: Bearer TOKEN; holdfast token creates one")

  static func malformed(_ reason: String) -> TokenError {
    TokenError(.malformed, "the token can't be read: \(reason)", "send the complete output of holdfast token")
  }

  static let forged = TokenError(
    .forged, "the token was not signed with the secret of this broadcast", askAnew)

  static let wrongAlgorithm = TokenError(
    .forged, "the token is not signed with HS256, the only algorithm accepted", askAnew)

  static let expired = TokenError(.expired, "the token has expired", askAnew)

  static let notYetValid = TokenError(
    .notYetValid, "the token is not valid yet",
    "synchronize the clocks of the two machines, or wait")

  static let ofAnotherSession = TokenError(
    .ofAnotherSession, "the token is for another broadcast", "ask for one with this broadcast's --session")

  static let revoked = TokenError(.revoked, "the token was revoked", askAnew)

  /// The revocation list can't be read.
  static func unknownWhetherRevoked(_ error: TokenFileError) -> TokenError {
    TokenError(.revoked, "can't check whether the token was revoked: \(error.what)", error.hint)
  }
}
