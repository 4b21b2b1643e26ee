import HoldfastMediaModel

/// A parsed token whose signature has not been checked.
struct UncheckedToken: Sendable {
  let token: Token
  let notBefore: WallTime?

  /// Parses within limits, and refuses what another reader could read differently.
  init(reading text: String) throws(TokenError) {
    guard !text.isEmpty else { throw .missing }
    guard text.utf8.count <= Token.maxLength else { throw .malformed("it is longer than 4 KiB") }
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3 else { throw .malformed("it has \(parts.count) parts, not 3") }
    try Self.check(header: Claims(part: parts[0], "header"))
    let claims = try Claims(part: parts[1], "claims")
    guard let signature = Base64URL.bytes(of: parts[2]) else {
      throw .malformed("the signature is not base64url")
    }
    guard signature.count == 32 else { throw .forged }
    if claims.has("aud") { throw .malformed("it is for another program (aud)") }
    guard let role = Role(rawValue: try claims.text("role")) else {
      throw .malformed("unknown role")
    }
    notBefore = claims.has("nbf") ? try claims.instant("nbf") : nil
    let (issuedAt, expiresAt) = (try claims.instant("iat"), try claims.instant("exp"))
    guard expiresAt > issuedAt else { throw .malformed("it expires before it was issued") }
    guard expiresAt.nanoseconds - issuedAt.nanoseconds <= Token.maxLifetime.nanoseconds else {
      throw .malformed("its lifetime is longer than 366 days")
    }
    let (name, session, id) = (try claims.text("sub"), try claims.text("session"), try claims.text("jti"))
    token = try mapError(
      Token(name: name, role: role, session: session, issuedAt: issuedAt, expiresAt: expiresAt, id: id)
    ) { (error: InvalidValue) in TokenError.malformed(error.what) }
  }

  private static func check(header: Claims) throws(TokenError) {
    guard try header.text("alg") == "HS256" else { throw .wrongAlgorithm }
    if header.has("typ"), try header.text("typ").uppercased() != "JWT" {
      throw .malformed("it is not a JWT")
    }
    // It names required extensions, none of which is supported.
    if header.has("crit") { throw .malformed("it requires an extension (crit)") }
  }
}
