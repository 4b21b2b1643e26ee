import HoldfastMediaModel

/// The first exchange with an X server: the request, and the screens or the refusal in its reply.
enum XSetup {
  struct Screen: Hashable, Sendable {
    let size: PictureSize
    /// Bits of colour.
    let depth: Int
  }

  enum Reply: Hashable {
    case incomplete
    case malformed
    /// With the server's reason.
    case refused(String)
    case accepted([Screen])
  }

  /// In little-endian order, with a cookie if there is one.
  static func request(cookie: [UInt8]?) -> [UInt8] {
    let method = cookie == nil ? [] : XAuthority.method
    let cookie = cookie ?? []
    func length(_ bytes: [UInt8]) -> [UInt8] { [UInt8(bytes.count & 0xFF), UInt8(bytes.count >> 8 & 0xFF)] }
    return [UInt8(ascii: "l"), 0, 11, 0, 0, 0] + length(method) + length(cookie) + [0, 0] + padded(method)
      + padded(cookie)
  }

  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: padding(bytes.count) - bytes.count)
  }

  private static func padding(_ count: Int) -> Int { (count + 3) / 4 * 4 }

  static func reply(in bytes: [UInt8]) -> Reply {
    var reader = Reader(bytes: bytes)
    guard bytes.count >= 8 else { return .incomplete }
    let (status, reasonLength) = (bytes[0], Int(bytes[1]))
    reader.skip(6)
    guard let units = reader.number(2), bytes.count >= 8 + units * 4 else { return .incomplete }
    switch status {
    case 1: return screens(&reader).map { .accepted($0) } ?? .malformed
    case 0: return .refused(text(bytes[8..<min(bytes.count, 8 + reasonLength)]))
    case 2: return .refused(text(bytes[8...].prefix { $0 != 0 }))
    default: return .malformed
    }
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    let printable = bytes.map { $0 < 0x20 || $0 >= 0x7F ? UInt8(ascii: " ") : $0 }
    return String(decoding: printable, as: UTF8.self).split(separator: " ").joined(separator: " ")
  }

  private static func screens(_ reader: inout Reader) -> [Screen]? {
    reader.skip(16)
    guard let vendor = reader.number(2) else { return nil }
    reader.skip(2)
    guard let count = reader.number(1), let formats = reader.number(1) else { return nil }
    reader.skip(10 + padding(vendor) + formats * 8)
    var screens: [Screen] = []
    for _ in 0..<count {
      reader.skip(20)
      guard let width = reader.number(2), let height = reader.number(2) else { return nil }
      reader.skip(14)
      guard let depth = reader.number(1), let depths = reader.number(1) else { return nil }
      screens.append(Screen(size: PictureSize(width: width, height: height), depth: depth))
      for _ in 0..<depths {
        reader.skip(2)
        guard let visuals = reader.number(2) else { return nil }
        reader.skip(4 + visuals * 24)
      }
    }
    return screens
  }

  private struct Reader {
    let bytes: [UInt8]
    private var offset = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func skip(_ count: Int) { offset += count }

    /// A number of `size` bytes; nil behind the end.
    mutating func number(_ size: Int) -> Int? {
      guard offset + size <= bytes.count else { return nil }
      defer { offset += size }
      return (0..<size).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
  }
}
