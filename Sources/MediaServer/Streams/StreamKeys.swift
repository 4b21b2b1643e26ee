import HoldfastMediaModel

/// The publishing keys, given as `key` in the query of the application or stream name.
struct StreamKeys: Sendable {
  /// Nil admits every publisher.
  let allowed: Set<String>?

  func admit(_ queries: [String]) -> Bool {
    guard let allowed else { return true }
    return queries.contains { query in
      query.split(separator: "&").contains { argument in
        guard argument.hasPrefix("key=") else { return false }
        // Malformed escapes are kept verbatim.
        return argument.dropFirst(4).percentDecoded(isLenient: true).map {
          allowed.contains(String(decoding: $0, as: UTF8.self))
        } ?? false
      }
    }
  }
}
