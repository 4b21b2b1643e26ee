/// Parses messages and the binary frames between them.
package struct RTSPReader: Sendable {
  package enum Item: Hashable, Sendable {
    case message(RTSPMessage)
    /// A packet in the messages' connection (RFC 2326, 10.12).
    case interleaved(channel: UInt8, bytes: [UInt8])
  }

  private let limits: RTSPLimits
  private var buffer: [UInt8] = []
  private var head = 0
  /// No head ends before this offset.
  private var scanned = 0
  /// The message whose body is incomplete.
  private var unfinished: (message: RTSPMessage, bodyStart: Int, bodyLength: Int)?

  private static let dollar: UInt8 = 0x24

  package init(limits: RTSPLimits = RTSPLimits()) { self.limits = limits }

  package mutating func append(_ bytes: borrowing Span<UInt8>) {
    if head > 0 {
      buffer.removeFirst(head)
      scanned -= head
      unfinished?.bodyStart -= head
      head = 0
    }
    unsafe bytes.withUnsafeBufferPointer { unsafe buffer.append(contentsOf: $0) }
  }

  /// Nil if the next item is incomplete. After an error the connection is unusable.
  package mutating func next() throws(RTSPError) -> Item? {
    if let unfinished { return finish(unfinished.message, unfinished.bodyStart, unfinished.bodyLength) }
    skipEmptyLines()
    guard head < buffer.count else { return nil }
    return buffer[head] == Self.dollar ? nextFrame() : try nextMessage()
  }

  private mutating func skipEmptyLines() {
    while head < buffer.count, buffer[head] == 0x0D || buffer[head] == 0x0A { head += 1 }
    scanned = max(scanned, head)
  }

  private mutating func nextFrame() -> Item? {
    guard buffer.count - head >= 4 else { return nil }
    let length = Int(buffer[head + 2]) << 8 | Int(buffer[head + 3])
    let start = head + 4
    guard buffer.count - start >= length else { return nil }
    let channel = buffer[head + 1]
    consume(to: start + length)
    return .interleaved(channel: channel, bytes: Array(buffer[start..<start + length]))
  }

  private mutating func nextMessage() throws(RTSPError) -> Item? {
    let end = endOfHead()
    guard (end?.head ?? buffer.count) - head <= limits.headBytes else {
      throw RTSPError(.tooLarge, "a message's head is longer than \(limits.headBytes) bytes")
    }
    guard let end else { return nil }
    let message = try RTSPMessage(head: buffer.span.extracting(head..<end.head), limits: limits)
    return finish(message, end.body, try message.bodyLength(limits: limits))
  }

  private mutating func endOfHead() -> (head: Int, body: Int)? {
    while scanned < buffer.count {
      defer { scanned += 1 }
      guard buffer[scanned] == 0x0A, scanned > head else { continue }
      if buffer[scanned - 1] == 0x0A { return (scanned - 1, scanned + 1) }
      if scanned - 2 >= head, buffer[scanned - 1] == 0x0D, buffer[scanned - 2] == 0x0A {
        return (scanned - 2, scanned + 1)
      }
    }
    return nil
  }

  private mutating func finish(_ message: RTSPMessage, _ start: Int, _ length: Int) -> Item? {
    guard buffer.count - start >= length else {
      unfinished = (message, start, length)
      return nil
    }
    unfinished = nil
    var message = message
    message.body = Array(buffer[start..<start + length])
    consume(to: start + length)
    return .message(message)
  }

  private mutating func consume(to end: Int) {
    head = end
    scanned = end
  }
}
