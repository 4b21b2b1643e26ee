import HoldfastCHiredis

/// A command and its arguments.
struct RedisCommand: Hashable, Sendable, ExpressibleByArrayLiteral {
  let words: [String]

  init(_ words: [String]) { self.words = words }
  init(arrayLiteral words: String...) { self.words = words }

  /// As it is sent; nil without memory.
  var bytes: [UInt8]? {
    let lengths = words.map(\.utf8.count)
    return Array(words.joined().utf8).withUnsafeBufferPointer { joined in
      joined.withMemoryRebound(to: CChar.self) { joined in Self.format(joined, lengths) }
    }
  }

  /// Formats words that lie one behind the other.
  private static func format(_ joined: UnsafeBufferPointer<CChar>, _ lengths: [Int]) -> [UInt8]? {
    // An empty word needs an address, too.
    var nothing: CChar = 0
    return withUnsafePointer(to: &nothing) { nothing in
      var start = joined.baseAddress ?? nothing
      var pointers: [UnsafePointer<CChar>?] = lengths.map { length in
        defer { start += length }
        return start
      }
      var target: UnsafeMutablePointer<CChar>?
      let count = Int(redisFormatCommandArgv(&target, Int32(clamping: lengths.count), &pointers, lengths))
      guard count >= 0, let target else { return nil }
      defer { redisFreeCommand(target) }
      return Array(UnsafeRawBufferPointer(start: target, count: count))
    }
  }
}
