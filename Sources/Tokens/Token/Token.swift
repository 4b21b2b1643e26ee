package import HoldfastMediaModel
import HoldfastPlatform

/// The claims of a token: who has which role, in which broadcast, until when.
package struct Token: Hashable, Sendable {
  package let name: String
  package let role: Role
  package let session: SessionName
  /// In whole seconds.
  package let issuedAt: WallTime
  package let expiresAt: WallTime
  package let id: String

  package static let nameLengths = 1...200
  package static let sessionLengths = 1...150
  package static let lifetimes = MediaTime.seconds(1)...MediaTime.seconds(366 * 86_400)
  /// Maximum length of a token's text in bytes.
  package static let maxLength = 4096
  /// How far the issuer's clock may be ahead.
  package static let leeway = MediaTime.seconds(60)

  /// Maximum lifetime including clock differences.
  static let maxLifetime = lifetimes.upperBound + leeway

  init(
    name: String, role: Role, session: String, issuedAt: WallTime, expiresAt: WallTime, id: String
  ) throws(InvalidValue) {
    try Self.check(name, "the name", Self.nameLengths)
    try Self.check(session, "the session", Self.sessionLengths)
    guard (SessionName(session) == .all) == role.isOfAllSessions else {
      throw InvalidValue(
        role.isOfAllSessions
          ? "a token of the role \(role.rawValue) is for all sessions"
          : "a token of the role \(role.rawValue) is for one session",
        hint: role.isOfAllSessions
          ? "use the session *" : "name the session, or use the role worker or operator")
    }
    guard Self.isID(id) else {
      throw InvalidValue(
        "\(id.debugDescription) is not a valid id",
        hint: "ids are 1 to 128 printable ASCII characters without spaces")
    }
    self.name = name
    self.role = role
    self.session = SessionName(session)
    self.issuedAt = issuedAt
    self.expiresAt = expiresAt
    self.id = id
  }

  /// A new token, valid from now on; its lifetime is rounded up, and ends at `limit`. `secret` marks its id.
  package init(
    name: String, role: Role, session: String, lasts: MediaTime, noLaterThan limit: WallTime? = nil,
    at now: WallTime, secret: TokenSecret
  ) throws(InvalidValue) {
    guard Self.lifetimes.contains(lasts) else {
      throw InvalidValue("the token lifetime is out of range", hint: "use 1s to 366d")
    }
    let second: Int64 = 1_000_000_000
    let end = WallTime(nanoseconds: (now.nanoseconds + lasts.nanoseconds + second - 1) / second * second)
    let expiresAt = limit.map { min($0, end) } ?? end
    try self.init(
      name: name, role: role, session: session,
      issuedAt: WallTime(nanoseconds: now.nanoseconds / second * second), expiresAt: expiresAt,
      id: IssuedID(expiring: expiresAt, secret: secret).text)
  }

  /// Whether `text` can be an id in a revocation list.
  package static func isID(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  /// Refuses long texts instead of truncating them: two names could become equal.
  private static func check(
    _ text: String, _ what: String, _ lengths: ClosedRange<Int>
  ) throws(InvalidValue) {
    guard lengths.contains(text.count) else {
      throw InvalidValue(
        text.isEmpty ? "\(what) is empty" : "\(what) has \(text.count) characters",
        hint: "use \(lengths.lowerBound) to \(lengths.upperBound)")
    }
    guard text.unicodeScalars.allSatisfy(\.canBeShown), text.contains(where: { !$0.isWhitespace }) else {
      throw InvalidValue("\(what) has unprintable characters", hint: "use letters, digits and punctuation")
    }
  }
}

/// A broadcast's name for tokens, equal regardless of case and Unicode composition.
package struct SessionName: Hashable, Sendable {
  package let text: String
  /// Lowercase. Strings compare by canonical equivalence, so composition does not matter.
  package let folded: String

  /// All sessions of a hub.
  package static let all = SessionName("*")

  package init(_ text: String) {
    self.text = text
    folded = text.lowercased()
  }

  package static func == (left: SessionName, right: SessionName) -> Bool { left.folded == right.folded }

  package func hash(into hasher: inout Hasher) { hasher.combine(folded) }
}
