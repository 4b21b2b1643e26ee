/// Bytes both ways, and when one side owes the other an acknowledgement.
struct RTMPCounters: Hashable, Sendable {
  private(set) var received: UInt64 = 0
  /// What the other side has acknowledged.
  private(set) var acknowledged: UInt64 = 0
  private var window: UInt32 = 0
  private var acknowledgedToPeer: UInt64 = 0

  /// The other side wants an acknowledgement each `size` bytes.
  mutating func wantsAcknowledgements(every size: UInt32) {
    window = size
  }

  mutating func receive(_ count: Int) {
    received &+= UInt64(max(0, count))
  }

  /// The number to acknowledge now; nil while that is not due.
  mutating func dueAcknowledgement() -> UInt32? {
    guard window > 0, received &- acknowledgedToPeer >= UInt64(window) else { return nil }
    acknowledgedToPeer = received
    return UInt32(truncatingIfNeeded: received)
  }

  /// The 32-bit number that the other side sends goes round; ours does not.
  mutating func acknowledge(_ number: UInt32) {
    let step = number &- UInt32(truncatingIfNeeded: acknowledged)
    if step < 0x8000_0000 { acknowledged &+= UInt64(step) }
  }
}
