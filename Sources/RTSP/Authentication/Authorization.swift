/// Answers a challenge, request by request: Basic, or Digest as RFC 2617 and RFC 7616 have it.
struct Authorization: Sendable {
  let challenge: Challenge
  let user: String
  let password: String
  /// Our own share in each digest.
  let clientNonce: String
  private var count: UInt32 = 0

  init(_ challenge: Challenge, user: String, password: String, clientNonce: String) {
    self.challenge = challenge
    self.user = user
    self.password = password
    self.clientNonce = clientNonce
  }

  /// The Authorization header of the next request.
  mutating func header(method: String, uri: String, _ digests: DigestFunctions) -> String {
    switch challenge.scheme {
    case .basic: return "Basic " + base64(Array("\(user):\(password)".utf8))
    case .digest(let digest):
      count &+= 1
      return header(digest, method, uri, digests)
    }
  }

  private func header(
    _ digest: Challenge.Digest, _ method: String, _ uri: String, _ digests: DigestFunctions
  ) -> String {
    let hash = digest.algorithm.function(digests)
    var secret = hash("\(user):\(challenge.realm):\(password)")
    if digest.algorithm.isPerSession { secret = hash("\(secret):\(digest.nonce):\(clientNonce)") }
    let request = hash("\(method):\(uri)")
    let digits = String(count, radix: 16)
    let number = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    let response =
      digest.usesQuality
      ? hash("\(secret):\(digest.nonce):\(number):\(clientNonce):auth:\(request)")
      : hash("\(secret):\(digest.nonce):\(request)")
    var header = "Digest username=\(quoted(user)), realm=\(quoted(challenge.realm))"
    header += ", nonce=\(quoted(digest.nonce)), uri=\(quoted(uri)), response=\"\(response)\""
    // The oldest servers know no other algorithm and stumble over its name.
    if digest.algorithm != .md5 { header += ", algorithm=\(digest.algorithm.rawValue)" }
    if let opaque = digest.opaque { header += ", opaque=\(quoted(opaque))" }
    if digest.usesQuality { header += ", qop=auth, nc=\(number)" }
    if digest.usesQuality || digest.algorithm.isPerSession { header += ", cnonce=\(quoted(clientNonce))" }
    return header
  }
}

extension Challenge.Algorithm {
  fileprivate var isPerSession: Bool {
    switch self {
    case .md5Session, .sha256Session: true
    case .md5, .sha256: false
    }
  }

  fileprivate func function(_ digests: DigestFunctions) -> (String) -> String {
    switch self {
    case .md5, .md5Session: { digests.md5(Array($0.utf8)) }
    case .sha256, .sha256Session: { digests.sha256(Array($0.utf8)) }
    }
  }
}

/// As a quoted string; what could end the header's line is left out.
private func quoted(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars where scalar.value >= 0x20 && scalar.value != 0x7F {
    if scalar == "\"" || scalar == "\\" { result += "\\" }
    result.unicodeScalars.append(scalar)
  }
  return result + "\""
}

/// RFC 4648, with padding.
func base64(_ bytes: [UInt8]) -> String {
  let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  var text = ""
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let piece = bytes[start..<min(start + 3, bytes.count)]
    var value: UInt32 = 0
    for byte in piece { value = value << 8 | UInt32(byte) }
    value <<= 8 * UInt32(3 - piece.count)
    for place in 0..<4 {
      text.append(place <= piece.count ? digits[Int(value >> (18 - 6 * UInt32(place)) & 63)] : "=")
    }
  }
  return text
}
