import HoldfastMediaModel

/// Credentials for a challenge, request by request: Basic, or Digest (RFC 2617, RFC 7616).
struct Authorization: Sendable {
  let challenge: Challenge
  let user: String
  let password: String
  let clientNonce: String
  private(set) var count: UInt32 = 0

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
    let number = String(UInt64(count) | 1 << 32, radix: 16).dropFirst()
    let response =
      digest.usesQuality
      ? hash("\(secret):\(digest.nonce):\(number):\(clientNonce):auth:\(request)")
      : hash("\(secret):\(digest.nonce):\(request)")
    var header = "Digest username=\(quoted(user)), realm=\(quoted(challenge.realm))"
    header += ", nonce=\(quoted(digest.nonce)), uri=\(quoted(uri)), response=\"\(response)\""
    // Old servers know no other algorithm and fail on its name.
    if digest.algorithm != .md5 { header += ", algorithm=\(digest.algorithm.rawValue)" }
    if let opaque = digest.opaque { header += ", opaque=\(quoted(opaque))" }
    if digest.usesQuality { header += ", qop=auth, nc=\(number)" }
    if digest.usesQuality || digest.algorithm.isPerSession { header += ", cnonce=\(quoted(clientNonce))" }
    return header
  }
}

extension Challenge.Algorithm {
  fileprivate var isPerSession: Bool { self == .md5Session || self == .sha256Session }

  fileprivate func function(_ digests: DigestFunctions) -> (String) -> String {
    switch self {
    case .md5, .md5Session: { digests.md5(Array($0.utf8)) }
    case .sha256, .sha256Session: { digests.sha256(Array($0.utf8)) }
    }
  }
}

/// A quoted string without control characters.
private func quoted(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars where scalar.value >= 0x20 && scalar.value != 0x7F {
    if scalar == "\"" || scalar == "\\" { result += "\\" }
    result.unicodeScalars.append(scalar)
  }
  return result + "\""
}

/// HTTP Digest's hash functions, in lower-case hexadecimal, injected to keep the module free of libraries.
package struct DigestFunctions: Sendable {
  package let md5: @Sendable (_ message: [UInt8]) -> String
  package let sha256: @Sendable (_ message: [UInt8]) -> String

  package init(
    md5: @escaping @Sendable (_ message: [UInt8]) -> String,
    sha256: @escaping @Sendable (_ message: [UInt8]) -> String
  ) {
    self.md5 = md5
    self.sha256 = sha256
  }
}
