/// Bounds the answers that a peer has not read yet: one that only asks would fill our memory.
package struct UnreadAnswers: Sendable {
  private let limit: Int
  private var count = 0
  /// The count starts over once everything that waited at its beginning has been sent.
  private var end: UInt64 = 0

  package init(limit: Int) { self.limit = limit }

  /// More answers wait than the limit allows, and at most twice as many.
  package var isOverLimit: Bool { count > limit }

  /// Counts what was put into `outgoing` since it had seen `before` bytes.
  package mutating func add(since before: UInt64, in outgoing: OutgoingBytes) {
    if outgoing.removed >= end {
      count = 0
      end = outgoing.added
    }
    count += Int(clamping: outgoing.added - before)
  }
}
