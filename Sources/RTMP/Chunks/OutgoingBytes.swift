/// Bytes that wait to be sent: appended behind, taken in front. Its memory is kept and used again.
package struct OutgoingBytes: Sendable {
  private var bytes: [UInt8] = []
  private var head = 0

  /// So many free bytes in front are worth moving what is behind them, if that is not more.
  private static let mostFree = 256 << 10

  package init() {}

  package var count: Int { bytes.count - head }
  package var isEmpty: Bool { count == 0 }

  package mutating func append(_ byte: UInt8) {
    bytes.append(byte)
  }

  package mutating func append(contentsOf other: [UInt8]) {
    bytes.append(contentsOf: other)
  }

  package mutating func append(contentsOf slice: ArraySlice<UInt8>) {
    bytes.append(contentsOf: slice)
  }

  /// The lowest `count` bytes of `value`, the highest one first.
  mutating func append(bigEndian value: UInt32, count: Int = 4) {
    for shift in (0..<count).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: value >> (8 * UInt32(shift))))
    }
  }

  mutating func append(littleEndian value: UInt32) {
    for shift in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * UInt32(shift)))) }
  }

  mutating func reserve(_ count: Int) {
    let wanted = bytes.count + count
    guard wanted > bytes.capacity else { return }
    // By factors: an array takes what it is told literally, and would move at each message of a growing queue.
    bytes.reserveCapacity(max(wanted, 2 * bytes.capacity))
  }

  /// Gives what waits to `body`.
  package func withUnsent<Result, Failure>(
    _ body: (borrowing Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(bytes.span.extracting(head..<bytes.count))
  }

  package mutating func removeFirst(_ count: Int) {
    head += min(max(0, count), self.count)
    if head == bytes.count {
      bytes.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= max(Self.mostFree, self.count) {
      bytes.removeFirst(head)
      head = 0
    }
  }

  package mutating func takeAll() -> [UInt8] {
    defer { removeFirst(count) }
    return Array(bytes[head...])
  }
}
