import HoldfastMediaModel
import HoldfastPlatform

/// What was sent on a connection and not yet shown to have arrived.
struct SentPackets {
  private struct Sent {
    let at: MonotonicTime
    let track: TrackKind
    let time: MediaTime
    let duration: MediaTime
  }

  private var sent: [Sent] = []
  private var head = 0

  private static let fewestFreeSlots = 256

  mutating func add(_ packet: MediaPacket, at now: MonotonicTime) {
    sent.append(Sent(at: now, track: packet.track, time: packet.decodeTime, duration: packet.duration))
  }

  /// Forgets what was sent until then: the server has shown that it got it.
  mutating func confirm(until arrived: MonotonicTime) {
    while head < sent.count, sent[head].at <= arrived { head += 1 }
    if head >= Self.fewestFreeSlots, head * 2 >= sent.count {
      sent.removeFirst(head)
      head = 0
    }
  }

  /// What may not have arrived; it is counted as lost.
  mutating func takeAsLost() -> OutputLoss {
    var loss = OutputLoss()
    for one in sent[head...] { loss.add(one.track, at: one.time, one.duration) }
    self = SentPackets()
    return loss
  }
}
