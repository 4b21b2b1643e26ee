// Numbers in network byte order.

extension [UInt8] {
  /// Appends the lowest `count` bytes of `value`.
  package mutating func append(bigEndian value: UInt64, count: Int) {
    for shift in (0..<count).reversed() { append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(shift)))) }
  }

  package mutating func append(zeros count: Int) { append(contentsOf: repeatElement(0, count: count)) }
}

extension ArraySlice<UInt8> {
  package var bigEndian: UInt64 { reduce(0) { $0 << 8 | UInt64($1) } }
}

extension String {
  /// The number whose bytes are its UTF-8.
  package var bigEndian: UInt64 { utf8.reduce(0) { $0 << 8 | UInt64($1) } }
}
