import HoldfastMediaModel

enum StreamKey {
  /// The first argument `key` of the queries, of which an earlier one counts before a later one. Further keys are
  /// ignored: an attempt is one guess.
  static func presented(in queries: [String]) -> String? {
    for query in queries {
      for argument in query.split(separator: "&") where argument.hasPrefix("key=") {
        // Malformed escapes are kept verbatim.
        return argument.dropFirst(4).percentDecoded(isLenient: true).map {
          String(decoding: $0, as: UTF8.self)
        }
      }
    }
    return nil
  }
}
