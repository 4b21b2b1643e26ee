import HoldfastMediaModel
import HoldfastPlatform

struct SentPackets {
  private struct Sent {
    let at: MonotonicTime
    let track: TrackKind
    let time: MediaTime
    let duration: MediaTime
  }

  private var sent: [Sent] = []
  private var head = 0

  private static let minFreeSlots = 256

  mutating func add(_ packet: MediaPacket, at now: MonotonicTime) {
    sent.append(Sent(at: now, track: packet.track, time: packet.decodeTime, duration: packet.duration))
  }

  /// The oldest unconfirmed packet of each track.
  var oldest: [TrackKind: MediaTime] {
    Dictionary(sent[head...].map { ($0.track, $0.time) }) { oldest, _ in oldest }
  }

  /// Removes the packets sent before `arrived`, which the server has acknowledged.
  mutating func confirm(until arrived: MonotonicTime) {
    while head < sent.count, sent[head].at <= arrived { head += 1 }
    if head >= Self.minFreeSlots, head * 2 >= sent.count {
      sent.removeFirst(head)
      head = 0
    }
  }

  /// Everything that is not acknowledged.
  var unconfirmed: OutputLoss {
    var loss = OutputLoss()
    for one in sent[head...] { loss.add(one.track, at: one.time, one.duration) }
    return loss
  }
}
