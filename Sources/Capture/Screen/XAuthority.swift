import HoldfastPlatform

/// The cookies with which programs prove to X servers that they belong to the session.
struct XAuthority {
  private struct Entry {
    let family: Int
    let address: ArraySlice<UInt8>
    let number: ArraySlice<UInt8>
    let method: ArraySlice<UInt8>
    let cookie: ArraySlice<UInt8>
  }

  private enum Family {
    static let internet = [0, 6]
    static let local = 256
    static let any = 65_535
  }

  static let method = Array("MIT-MAGIC-COOKIE-1".utf8)
  private static let maxSize = 1 << 20

  private let entries: [Entry]

  /// Reads an authority file as far as it is whole.
  init(_ bytes: [UInt8]) {
    var rest = bytes[...]
    var entries: [Entry] = []
    while let family = Self.takeNumber(&rest), let address = Self.takeField(&rest),
      let number = Self.takeField(&rest), let method = Self.takeField(&rest),
      let cookie = Self.takeField(&rest)
    {
      entries.append(Entry(family: family, address: address, number: number, method: method, cookie: cookie))
    }
    self.entries = entries
  }

  /// The session's file, `$XAUTHORITY` or `~/.Xauthority`; empty if it can't be read.
  static func ofSession() -> XAuthority {
    let path = environmentVariable("XAUTHORITY") ?? environmentVariable("HOME").map { $0 + "/.Xauthority" }
    return XAuthority(path.flatMap { try? FileDescriptor.contents(of: $0, limit: maxSize) } ?? [])
  }

  /// The first cookie for a display; `machine` is this machine's name, for a display on it, and else nil.
  func cookie(ofDisplay number: Int, on machine: String?) -> [UInt8]? {
    let digits = Array("\(number)".utf8)
    return entries.first { entry in
      guard entry.method.elementsEqual(Self.method),
        entry.number.isEmpty || entry.number.elementsEqual(digits)
      else { return false }
      if entry.family == Family.any { return true }
      guard let machine else { return Family.internet.contains(entry.family) }
      return entry.family == Family.local && entry.address.elementsEqual(machine.utf8)
    }.map { Array($0.cookie) }
  }

  private static func takeNumber(_ rest: inout ArraySlice<UInt8>) -> Int? {
    guard rest.count >= 2 else { return nil }
    defer { rest = rest.dropFirst(2) }
    return Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])
  }

  private static func takeField(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let length = takeNumber(&rest), rest.count >= length else { return nil }
    defer { rest = rest.dropFirst(length) }
    return rest.prefix(length)
  }
}
