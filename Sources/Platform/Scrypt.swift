import HoldfastCOpenSSL

/// `scrypt.N.R.P.SALT.HASH` of a password, with a random salt.
package func scryptHash(of password: String) -> String {
  let salt = randomBytes(16)
  return text(Cost.usual, salt, derive(password, salt, Cost.usual))
}

/// Takes the same time wherever the first difference is.
package func scryptMatches(_ password: String, _ hash: String) -> Bool {
  let parts = hash.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  guard parts.count == 6, parts[0] == "scrypt", let n = UInt64(parts[1]), let r = UInt64(parts[2]),
    let p = UInt64(parts[3]), let salt = bytes(ofHexadecimal: parts[4]),
    let expected = bytes(ofHexadecimal: parts[5]), expected.count == 32,
    // Bounded, as the costs come from a store.
    n <= 1 << 17, r <= 16, p <= 4
  else { return false }
  let derived = derive(password, salt, Cost(n: n, r: r, p: p))
  return derived.count == expected.count && zip(derived, expected).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
}

private struct Cost {
  let n: UInt64
  let r: UInt64
  let p: UInt64

  /// About 30 ms and 16 MB.
  static let usual = Cost(n: 1 << 14, r: 8, p: 1)
}

private func text(_ cost: Cost, _ salt: [UInt8], _ hash: [UInt8]) -> String {
  "scrypt.\(cost.n).\(cost.r).\(cost.p).\(hexadecimal(salt)).\(hexadecimal(hash))"
}

/// Empty if OpenSSL refuses, so that nothing matches.
private func derive(_ password: String, _ salt: [UInt8], _ cost: Cost) -> [UInt8] {
  var result = [UInt8](repeating: 0, count: 32)
  let password = Array(password.composed.utf8)
  let isMade = password.withUnsafeBytes { bytes in
    EVP_PBE_scrypt(
      bytes.bindMemory(to: CChar.self).baseAddress, bytes.count, salt, salt.count, cost.n, cost.r, cost.p,
      64 << 20, &result, result.count) == 1
  }
  if !isMade { ERR_clear_error() }
  return isMade ? result : []
}

private func bytes(ofHexadecimal text: String) -> [UInt8]? {
  guard text.utf8.count.isMultiple(of: 2) else { return nil }
  let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
  guard digits.count == text.utf8.count else { return nil }
  return stride(from: 0, to: digits.count, by: 2).map { (at: Int) -> UInt8 in
    UInt8(digits[at] << 4 | digits[at + 1])
  }
}
