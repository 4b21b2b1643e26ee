/// `KIND` or `KIND:PLACE`; the place may hold further colons.
struct WrittenSource {
  let kind: Substring
  let place: String?

  /// Nil where a colon has nothing behind it.
  init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2, parts[1].isEmpty { return nil }
    kind = parts[0]
    place = parts.count == 2 ? String(parts[1]) : nil
  }
}
