/// Counts bytes both ways and determines due acknowledgements.
struct RTMPCounters: Hashable, Sendable {
  private(set) var received: UInt64 = 0
  private(set) var acknowledged: UInt64 = 0
  private var window: UInt32 = 0
  private var acknowledgedToPeer: UInt64 = 0

  mutating func setAcknowledgementWindow(_ size: UInt32) { window = size }

  mutating func receive(_ count: Int) { received &+= UInt64(max(0, count)) }

  /// The number to acknowledge now; nil until one is due.
  mutating func dueAcknowledgement() -> UInt32? {
    guard window > 0, received &- acknowledgedToPeer >= UInt64(window) else { return nil }
    acknowledgedToPeer = received
    return UInt32(truncatingIfNeeded: received)
  }

  /// The peer's 32-bit number wraps; ours does not.
  mutating func acknowledge(_ number: UInt32) {
    let step = number &- UInt32(truncatingIfNeeded: acknowledged)
    if step < 0x8000_0000 { acknowledged &+= UInt64(step) }
  }
}
