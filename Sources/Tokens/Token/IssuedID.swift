import HoldfastMediaModel
import HoldfastPlatform

/// A token's id that proves that it was made with the secret: 16 random bytes, the token's expiry, and a code
/// of both, in hexadecimal. So an id alone can be revoked, and forgotten when its token has expired.
struct IssuedID {
  let text: String

  private static let randomDigits = 32
  private static let expiryDigits = 10
  private static let codeDigits = 16

  /// A new id.
  init(expiring expiry: WallTime, secret: TokenSecret) {
    let seconds = String(expiry.wholeSeconds, radix: 16)
    let padding = String(repeating: "0", count: max(0, Self.expiryDigits - seconds.count))
    let content = hexadecimal(randomBytes(Self.randomDigits / 2)) + padding + seconds
    text = content + Self.code(of: content, secret)
  }

  /// When the token of `id` expires; nil if the id was not made with `secret`.
  static func expiry(of id: String, secret: TokenSecret) -> WallTime? {
    let (digits, length) = (Array(id.utf8), randomDigits + expiryDigits)
    guard digits.count == length + codeDigits else { return nil }
    let content = String(decoding: digits[..<length], as: UTF8.self)
    // Takes the same time wherever the first difference is.
    let difference = zip(digits[length...], code(of: content, secret).utf8).reduce(0) { $0 | ($1.0 ^ $1.1) }
    guard difference == 0, let seconds = Int64(content.suffix(expiryDigits), radix: 16) else { return nil }
    return WallTime(nanoseconds: seconds * 1_000_000_000)
  }

  /// The space keeps it apart from what a token's signature covers.
  private static func code(of content: String, _ secret: TokenSecret) -> String {
    let message = Array("token id \(content)".utf8)
    return String(hexadecimal(hmacSHA256(key: secret.bytes, message: message)).prefix(codeDigits))
  }
}
