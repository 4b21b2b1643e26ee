/// The keys that publishers have to show, as the argument `key` behind the application's or the stream's name.
struct StreamKeys: Sendable {
  /// Nil: nobody has to show one.
  let allowed: Set<String>?

  func admit(_ queries: [String]) -> Bool {
    guard let allowed else { return true }
    return queries.contains { query in
      query.split(separator: "&").contains { argument in
        argument.hasPrefix("key=") && allowed.contains(Self.decoded(argument.dropFirst(4)))
      }
    }
  }

  /// `%2B` is `+`, and so on; what is written wrongly stays as it is.
  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
