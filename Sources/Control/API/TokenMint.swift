internal import HoldfastLifecycle
internal import HoldfastMediaModel
internal import HoldfastPlatform

/// Makes tokens for one session, and takes them back.
package struct TokenMint: Sendable {
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
  ) throws(ControlRefusal) -> (text: String, token: Token) {
    do {
      let token = try Token(name: name, role: role, session: session, lasts: length, at: now)
      return (try token.text(signedWith: secret), token)
    } catch {
      throw ControlRefusal(422, "badValue", error.why, hint: error.remedy)
    }
  }

  /// What stands in a path as it is.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: false
    }
  }

  func revoke(_ id: String, at now: WallTime) throws(ControlRefusal) {
    guard Token.isID(id), id.utf8.allSatisfy(Self.isPlain) else {
      throw ControlRefusal(
        422, "badValue", "that is no token's id", hint: "it stands beside the token where it was made")
    }
    do {
      try revocations.revoke(id, at: now)
    } catch {
      throw ControlRefusal(503, "notTaken", error.what, hint: error.hint)
    }
  }
}
