internal import HoldfastMediaModel
internal import HoldfastPlatform

/// The lines of a file of revoked tokens, `ID EXPIRY` each, the expiry in seconds since 1970.
struct RevocationList: Sendable {
  /// Nil where nobody knows when it expires: it is revoked for ever.
  private(set) var expiries: [String: Int64?] = [:]

  static let capacity = 10_000
  /// Of the file, in bytes.
  static let sizeLimit = 2 << 20
  /// A clock that is set back doesn't bring back a revoked token, unless by more than that.
  private static let slack: Int64 = 86_400

  init() {}

  /// A line that is damaged behind its id still revokes; what can't be an id is passed over.
  init(_ bytes: [UInt8]) {
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      let words = line.split(separator: " ")
      guard let id = words.first, Token.isID(String(id)) else { continue }
      add(String(id), until: words.count == 2 ? Int64(words[1]) : nil)
    }
  }

  /// Of two expiries of one id the later one counts.
  mutating func add(_ id: String, until expiry: Int64?) {
    guard let known = expiries[id] else {
      expiries[id] = .some(expiry)
      return
    }
    let later: Int64? = if let known, let expiry { max(known, expiry) } else { nil }
    expiries[id] = .some(later)
  }

  /// Leaves out what has expired, as such tokens are not taken anyway.
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
