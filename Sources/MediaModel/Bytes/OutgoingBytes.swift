/// A queue of outgoing bytes that reuses its memory.
package struct OutgoingBytes: Sendable {
  private var bytes: [UInt8] = []
  private var head = 0
  /// The total number of bytes removed.
  package private(set) var removed: UInt64 = 0

  /// Compacts the queue once this many bytes, and at least half of it, have been sent.
  private static let maxFree = 256 << 10
  /// An empty queue keeps at most this much memory.
  private static let maxKept = 1 << 20

  package init() {}

  package var count: Int { bytes.count - head }
  package var isEmpty: Bool { count == 0 }
  /// The size of the memory behind the queue.
  package var capacity: Int { bytes.capacity }
  /// The total number of bytes ever appended.
  package var added: UInt64 { removed &+ UInt64(count) }

  package mutating func append(_ byte: UInt8) { bytes.append(byte) }

  package mutating func append(contentsOf other: [UInt8]) { bytes.append(contentsOf: other) }

  package mutating func append(contentsOf slice: ArraySlice<UInt8>) { bytes.append(contentsOf: slice) }

  package mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  package mutating func append(contentsOf more: borrowing Span<UInt8>) {
    unsafe more.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
  }

  /// Appends the lowest `count` bytes of `value`, big-endian.
  package mutating func append(bigEndian value: UInt32, count: Int = 4) {
    bytes.append(bigEndian: UInt64(value), count: count)
  }

  package mutating func append(littleEndian value: UInt32) {
    for shift in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * UInt32(shift)))) }
  }

  package mutating func reserve(_ count: Int) {
    let needed = bytes.count + count
    guard needed > bytes.capacity else { return }
    // Doubles the capacity, as an array reserves exactly what is requested.
    bytes.reserveCapacity(max(needed, 2 * bytes.capacity))
  }

  package func withUnsent<Result, Failure>(
    _ body: (borrowing Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(bytes.span.extracting(head..<bytes.count))
  }

  package mutating func removeFirst(_ count: Int) {
    let count = min(max(0, count), self.count)
    head += count
    removed &+= UInt64(count)
    if head == bytes.count {
      bytes.removeAll(keepingCapacity: bytes.capacity <= Self.maxKept)
      head = 0
    } else if head >= max(Self.maxFree, self.count) {
      // Copies no more than that many bytes, and frees the memory of a long queue.
      bytes = Array(bytes[head...])
      head = 0
    }
  }

  package mutating func takeAll() -> [UInt8] {
    defer { removeFirst(count) }
    return Array(bytes[head...])
  }
}
