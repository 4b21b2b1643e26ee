/// The name of a broadcast as tokens have it: capitals and small letters are the same, whatever way they are composed.
package struct SessionName: Hashable, Sendable {
  package let text: String
  /// In small letters. As texts compare by what they mean, composed and decomposed letters are the same.
  package let folded: String

  package init(_ text: String) {
    self.text = text
    folded = text.lowercased()
  }

  package static func == (left: SessionName, right: SessionName) -> Bool { left.folded == right.folded }

  package func hash(into hasher: inout Hasher) { hasher.combine(folded) }
}
