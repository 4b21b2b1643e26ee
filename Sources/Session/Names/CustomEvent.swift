package import HoldfastMediaModel

extension Session {
  /// An event that members send to each other; the rules pass it on.
  package struct CustomEvent: Hashable, Sendable {
    package let name: String
    package let data: JSONValue

    private static let rule = TextRule(subject: .event, maxCharacters: 100)
    /// As much as a box takes for its viewers.
    package static let maxBytes = 8 * 1024

    package init(name: String, data: JSONValue = .null) throws(Refusal) {
      try Self.rule.check(name)
      guard data.description.utf8.count <= Self.maxBytes else {
        throw .badText(TextFault(subject: .data, problem: .tooLong(limit: Self.maxBytes, unit: "bytes")))
      }
      self.name = name
      self.data = data
    }
  }
}
