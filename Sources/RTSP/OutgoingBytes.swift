/// What is to be sent and has not yet been taken: a buffer that grows to what is needed and is then used again.
public struct OutgoingBytes: Sendable {
  private var bytes: [UInt8] = []
  private var head = 0

  public init() {}

  public var count: Int { bytes.count - head }
  public var isEmpty: Bool { count == 0 }

  public mutating func append(_ byte: UInt8) {
    bytes.append(byte)
  }

  public mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  public mutating func append(contentsOf more: [UInt8]) {
    bytes.append(contentsOf: more)
  }

  public mutating func append(contentsOf more: borrowing Span<UInt8>) {
    unsafe more.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
  }

  /// Shows what has not been taken yet, the oldest first.
  public func withUnsent<Result, Failure: Error>(
    _ body: (borrowing Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(bytes.span.extracting(droppingFirst: head))
  }

  /// Forgets the first `taken` bytes.
  public mutating func removeFirst(_ taken: Int) {
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
