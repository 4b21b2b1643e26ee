internal import HoldfastMediaModel

/// The keys that publishers have to show, as the argument `key` behind the application's or the stream's name.
struct StreamKeys: Sendable {
  /// Nil: nobody has to show one.
  let allowed: Set<String>?

  func admit(_ queries: [String]) -> Bool {
    guard let allowed else { return true }
    return queries.contains { query in
      query.split(separator: "&").contains { argument in
        guard argument.hasPrefix("key=") else { return false }
        // What is escaped wrongly stays as it is.
        return argument.dropFirst(4).percentDecoded(isLenient: true).map {
          allowed.contains(String(decoding: $0, as: UTF8.self))
        } ?? false
      }
    }
  }
}
