import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastPlatform

/// When something arrived, and its stamp of the sender's clock.
struct ArrivalTime: Hashable, Sendable {
  let kind: TrackKind
  let stamp: MediaTime?
  /// Nil without a stamp.
  let era: SourceClocks.Era?
  let time: MonotonicTime
}

/// A packet and when it arrived.
struct Arrival: ~Copyable, Sendable {
  let packet: NetworkPacket
  let time: ArrivalTime
  /// Packets dropped before this one.
  let droppedBefore: Int
}

/// The packets of one track between the connection's thread and the track's own; bounded.
final class ArrivalQueue: Sendable {
  private struct Intake {
    var bytes = 0
    var dropped = 0
    var needsKeyframe: Bool
    var hasArrived = false
  }

  private static let maxPackets = 4096
  private static let maxBytes = 24 << 20

  private let queue = BoundedQueue<Arrival>(capacity: maxPackets)
  private let intake: Locked<Intake>

  /// A picture's first packet is a keyframe.
  init(_ kind: TrackKind) { intake = Locked(Intake(needsKeyframe: kind == .video)) }

  /// Something has arrived and not been taken.
  var isEmpty: Bool { intake.withLock { $0.bytes == 0 } }
  var isFull: Bool { intake.withLock { $0.bytes > Self.maxBytes } }

  /// Drops the packet if there is no room for it, and then those that can't be decoded without it.
  func offer(_ packet: consuming NetworkPacket, at time: ArrivalTime) {
    let size = max(1, packet.byteCount)
    let isKeyframe = packet.isKeyframe
    let dropped = intake.withLock { intake -> Int? in
      if isKeyframe { intake.needsKeyframe = false }
      guard !intake.needsKeyframe, intake.bytes <= Self.maxBytes else {
        intake.dropped += intake.hasArrived ? 1 : 0
        intake.needsKeyframe = packet.track.kind == .video
        return nil
      }
      intake.hasArrived = true
      intake.bytes += size
      defer { intake.dropped = 0 }
      return intake.dropped
    }
    guard let dropped else { return }
    if !queue.offer(Arrival(packet: packet, time: time, droppedBefore: dropped)) {
      intake.withLock { $0.bytes -= size }
    }
  }

  func take(until deadline: MonotonicTime) -> Arrival? {
    guard let arrival = queue.take(until: deadline) else { return nil }
    intake.withLock { $0.bytes -= max(1, arrival.packet.byteCount) }
    return arrival
  }
}
