import HoldfastMediaModel
import HoldfastPlatform

/// The lines of a file of revoked tokens, `ID EXPIRY` each, the expiry in seconds since 1970.
struct RevocationList: Sendable {
  /// Nil for an unknown expiry: revoked forever.
  private(set) var expiries: [String: Int64?] = [:]

  static let capacity = 10_000
  static let sizeLimit = 2 << 20
  /// A clock set back by up to this does not revive a revoked token.
  private static let slack: Int64 = 86_400

  init() {}

  /// A line damaged after its id still revokes; invalid ids are skipped.
  init(_ bytes: [UInt8]) {
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      let words = line.split(separator: " ")
      guard let id = words.first, Token.isID(String(id)) else { continue }
      add(String(id), until: words.count == 2 ? Int64(words[1]) : nil)
    }
  }

  /// Keeps the later of two expiries.
  mutating func add(_ id: String, until expiry: Int64?) {
    guard let known = expiries[id] else {
      expiries[id] = .some(expiry)
      return
    }
    let later: Int64? = if let known, let expiry { max(known, expiry) } else { nil }
    expiries[id] = .some(later)
  }

  /// Removes expired entries, as such tokens are refused anyway.
  mutating func prune(at now: WallTime) {
    expiries = expiries.filter { $0.value.map { $0 > now.wholeSeconds - Self.slack } ?? true }
  }

  var bytes: [UInt8] {
    let lines = expiries.sorted { $0.key < $1.key }.map { id, expiry in
      expiry.map { "\(id) \($0)\n" } ?? "\(id)\n"
    }
    return Array(lines.joined().utf8)
  }
}
