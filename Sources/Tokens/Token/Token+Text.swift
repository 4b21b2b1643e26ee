import Glibc
import HoldfastCJWT
package import HoldfastMediaModel

extension Token {
  /// The serialized token, signed with HS256.
  package func text(signedWith secret: TokenSecret) throws(InvalidValue) -> String {
    guard let text = signed(secret) else {
      throw InvalidValue("the token could not be created", hint: "check whether the machine is out of memory")
    }
    guard text.utf8.count <= Self.maxLength else {
      throw InvalidValue("the token would be longer than 4 KiB", hint: "choose a shorter name")
    }
    return text
  }

  private func signed(_ secret: TokenSecret) -> String? {
    var jwt: OpaquePointer?
    guard jwt_new(&jwt) == 0, let jwt else { return nil }
    defer { jwt_free(jwt) }
    let texts = [("sub", name), ("role", role.rawValue), ("session", session.text), ("jti", id)]
    guard jwt_set_alg(jwt, JWT_ALG_HS256, secret.bytes, Int32(secret.bytes.count)) == 0,
      texts.allSatisfy({ jwt_add_grant(jwt, $0.0, $0.1) == 0 }),
      jwt_add_grant_int(jwt, "iat", Int(issuedAt.wholeSeconds)) == 0,
      jwt_add_grant_int(jwt, "exp", Int(expiresAt.wholeSeconds)) == 0,
      let text = jwt_encode_str(jwt)
    else { return nil }
    defer { free(text) }
    return String(cString: text)
  }

  /// Whether `text` is signed with the secret, by HS256. The library compares signatures in constant time.
  static func isSigned(_ text: String, with secret: TokenSecret) -> Bool {
    var jwt: OpaquePointer?
    guard jwt_decode(&jwt, text, secret.bytes, Int32(secret.bytes.count)) == 0, let jwt else { return false }
    defer { jwt_free(jwt) }
    return jwt_get_alg(jwt) == JWT_ALG_HS256
  }
}

extension WallTime {
  var wholeSeconds: Int64 { nanoseconds / 1_000_000_000 }
}
