extension Session {
  /// A session's name, equal regardless of case and Unicode composition.
  package struct Name: Hashable, Sendable {
    package let text: String
    /// Without regard to case. Strings compare by canonical equivalence, so composition does not matter;
    /// whoever takes its bytes has to compose them first.
    package let folded: String

    private static let rule = TextRule(subject: .session, maxCharacters: 150)
    /// They would end a segment of an address, or open a pattern, a query or an escape.
    private static let forbidden: [Character] = ["/", "\\", "{", "}", "?", "#", "%"]
    /// First segments of the hub's own paths, relative paths, and the name of all sessions in a token.
    static let reserved: Set = [
      ".", "..", "*", "v1", "healthz", "metrics", "assets", "favicon.ico", "robots.txt",
    ]

    package init(_ text: String) throws(Refusal) {
      try Self.rule.check(text)
      // By scalars: a mark after one of them makes it another character, but not another byte in an address.
      guard !text.unicodeScalars.contains(where: { Self.forbidden.contains(Character($0)) }) else {
        throw Self.rule.fault(.forbidden("contains one of / \\ { } ? # %"))
      }
      let folded = Self.fold(text)
      guard !Self.reserved.contains(folded) else {
        throw Self.rule.fault(.forbidden("is one of the hub's own paths"))
      }
      self.text = text
      self.folded = folded
    }

    /// The name of a session that nobody can join, as `*` is not allowed in one.
    package static let clock = Name(reserved: "*")

    private init(reserved text: String) {
      self.text = text
      folded = text
    }

    /// By way of capitals, because some letters have one capital between them, or two: σ and ς, ß and ss.
    package static func fold(_ text: String) -> String {
      text.unicodeScalars.map { scalar in
        scalar == "\u{131}" ? String(scalar) : scalar.properties.uppercaseMapping.lowercased()
      }.joined()
    }

    package static func == (left: Name, right: Name) -> Bool { left.folded == right.folded }

    package func hash(into hasher: inout Hasher) { hasher.combine(folded) }
  }

  /// What a member is called.
  package struct DisplayName: Hashable, Sendable {
    package let text: String

    private static let rule = TextRule(subject: .member, maxCharacters: 200)

    package init(_ text: String) throws(Refusal) {
      try Self.rule.check(text)
      self.text = text
    }
  }
}
