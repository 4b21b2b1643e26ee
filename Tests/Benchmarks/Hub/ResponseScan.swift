import Glibc

/// What a member has to know of an answer: its status, and that it has ended. All else would be work that the hub's
/// processor lacks.
struct ResponseScan {
  let status: Int

  /// Nil while the answer is not complete.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count > 16, let end = bytes.find("\r\n\r\n") else { return nil }
    let head = UnsafeRawBufferPointer(rebasing: bytes[..<end])
    let length = head.number(after: "Content-Length: ") ?? 0
    guard end + 4 + length <= bytes.count else { return nil }
    status = Int(bytes[9] - 0x30) * 100 + Int(bytes[10] - 0x30) * 10 + Int(bytes[11] - 0x30)
  }
}

extension UnsafeRawBufferPointer {
  func find(_ text: StaticString, from start: Int = 0) -> Int? {
    guard let base = baseAddress else { return nil }
    let (length, first) = (text.utf8CodeUnitCount, Int32(text.utf8Start[0]))
    var place = start
    while count - place >= length, let found = memchr(base + place, first, count - place - length + 1) {
      place = UnsafeRawPointer(found) - base
      if memcmp(found, text.utf8Start, length) == 0 { return place }
      place += 1
    }
    return nil
  }

  func number(after text: StaticString) -> Int? {
    guard let start = find(text) else { return nil }
    return self[(start + text.utf8CodeUnitCount)...].prefix { (0x30...0x39).contains($0) }.reduce(0) {
      $0 * 10 + Int($1 - 0x30)
    }
  }

  /// The characters of a JSON string without escapes.
  func text(after text: StaticString) -> [UInt8]? {
    guard let start = find(text) else { return nil }
    return Array(self[(start + text.utf8CodeUnitCount)...].prefix { $0 != 0x22 })
  }
}
