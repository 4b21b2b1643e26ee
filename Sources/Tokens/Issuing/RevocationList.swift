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

  /// Invalid ids are skipped.
  init(_ tokens: [String: WallTime]) {
    for (id, expiry) in tokens where Token.isID(id) {
      add(id, until: (expiry + MediaTime(nanoseconds: 999_999_999)).wholeSeconds)
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

  mutating func add(_ other: RevocationList) {
    for (id, expiry) in other.expiries { add(id, until: expiry) }
  }

  /// The entries that `other` lacks, or forgets earlier, as far as both expiries are known.
  func entries(lackingIn other: RevocationList) -> RevocationList {
    var rest = RevocationList()
    rest.expiries = expiries.filter { id, expiry in
      guard let known = other.expiries[id] else { return true }
      guard let known, let expiry else { return false }
      return expiry > known
    }
    return rest
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
