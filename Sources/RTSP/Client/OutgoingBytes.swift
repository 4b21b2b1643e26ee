/// What is to be sent and has not yet been taken: a buffer that grows to what is needed and is then used again.
package struct OutgoingBytes: Sendable {
  private var bytes: [UInt8] = []
  private var head = 0

  package init() {}

  package var count: Int { bytes.count - head }
  package var isEmpty: Bool { count == 0 }

  package mutating func append(_ byte: UInt8) {
    bytes.append(byte)
  }

  package mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  package mutating func append(contentsOf more: [UInt8]) {
    bytes.append(contentsOf: more)
  }

  package mutating func append(contentsOf more: borrowing Span<UInt8>) {
    unsafe more.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
  }

  /// Shows what has not been taken yet, the oldest first.
  package func withUnsent<Result, Failure: Error>(
    _ body: (borrowing Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(bytes.span.extracting(droppingFirst: head))
  }

  /// Forgets the first `taken` bytes.
  package mutating func removeFirst(_ taken: Int) {
    head += min(max(0, taken), count)
    if head == bytes.count {
      bytes.removeAll(keepingCapacity: true)
      head = 0
    } else if head > bytes.count / 2 {
      bytes.removeFirst(head)
      head = 0
    }
  }
}
