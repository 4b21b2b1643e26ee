/// The name of a broadcast as tokens have it: capitals and small letters are the same, whatever way they are composed.
public struct SessionName: Hashable, Sendable {
  public let text: String
  /// In small letters. As texts compare by what they mean, composed and decomposed letters are the same.
  public let folded: String

  public init(_ text: String) {
    self.text = text
    folded = text.lowercased()
  }

  public static func == (left: SessionName, right: SessionName) -> Bool { left.folded == right.folded }

  public func hash(into hasher: inout Hasher) { hasher.combine(folded) }
}
