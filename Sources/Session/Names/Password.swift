import HoldfastMediaModel

extension Session {
  /// A password before it is hashed.
  package enum Password {
    private static let rule = TextRule(subject: .password, maxCharacters: 64)

    /// Spaces are allowed, but not alone.
    package static func check(_ text: String) throws(Refusal) {
      try rule.check(text)
      guard text.unicodeScalars.allSatisfy(\.isPrintable) else {
        throw rule.fault(.forbidden("has unprintable characters"))
      }
    }
  }

  /// A salted hash, opaque to the rules.
  package struct PasswordHash: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }
  }

  /// What comparing a caller's password with the session's hash gave.
  package enum PasswordVerdict: Hashable, Sendable {
    case notGiven, wrong, right
  }
}
