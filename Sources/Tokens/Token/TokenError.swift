package import HoldfastMediaModel

/// Why a token is refused. Holds neither the token nor any part of the secret.
package typealias TokenError = Failure<TokenFault>

package enum TokenFault: String, Hashable, Sendable, CaseIterable {
  case missing = "tokenMissing"
  case malformed = "tokenMalformed"
  case forged = "tokenForged"
  case expired = "tokenExpired"
  case notYetValid = "tokenNotYetValid"
  case ofAnotherSession = "tokenOfAnotherSession"
  case revoked = "tokenRevoked"
}

extension TokenError {
  private static var askAnew: String { "ask the host for a new one" }

  package static var missing: Self {
    Self(
      .missing, "a token is required", hint: "send Authorization: Bearer TOKEN; holdfast token creates one")
  }
  static var forged: Self {
    Self(.forged, "the token was not signed with the secret of this broadcast", hint: askAnew)
  }
  static var wrongAlgorithm: Self {
    Self(.forged, "the token is not signed with HS256, the only algorithm accepted", hint: askAnew)
  }
  static var expired: Self { Self(.expired, "the token has expired", hint: askAnew) }
  static var notYetValid: Self {
    Self(
      .notYetValid, "the token is not valid yet",
      hint: "synchronize the clocks of the two machines, or wait")
  }
  static var ofAnotherSession: Self {
    Self(
      .ofAnotherSession, "the token is for another broadcast",
      hint: "ask for one with this broadcast's --session")
  }
  static var revoked: Self { Self(.revoked, "the token was revoked", hint: askAnew) }

  static func malformed(_ reason: String) -> Self {
    Self(.malformed, "the token can't be read: \(reason)", hint: "send the complete output of holdfast token")
  }

  /// The revocation list can't be read.
  static func unknownWhetherRevoked(_ error: TokenFileError) -> Self {
    Self(.revoked, "can't check whether the token was revoked: \(error.what)", hint: error.hint)
  }
}
