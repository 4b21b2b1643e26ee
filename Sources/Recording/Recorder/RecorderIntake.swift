package import HoldfastMediaModel

/// State shared by the callers of `offer` and the writing thread: the backlog, losses and the disk.
package struct RecorderIntake: Sendable {
  package enum Admission: Hashable, Sendable {
    /// Goes into the queue, which ends a loss of its track.
    case accepted(after: Recorder.Loss?)
    /// A keyframe would end the loss earlier.
    case lost(needsKeyframe: Bool)
  }

  private let limit: MediaTime
  private let reserve: Int
  package var disk: DiskWatch
  package var bytesWritten = 0
  /// Free space of the disk above the reserve; nil before it was measured.
  private(set) package var room: Int?
  private(set) package var isClosed = false
  /// Packets that found no room.
  private var losses: [TrackKind: Recorder.Loss] = [:]
  /// Packets from the queue that the recorder could not write.
  private var unwritten: [TrackKind: Recorder.Loss] = [:]
  /// The backlog by track, in packets and in bytes.
  private var lengths: [TrackKind: MediaTime] = [:]
  private var count = 0
  private var bytes = 0
  /// The queue was full and is not half empty yet; packets admitted now would only cause small gaps.
  private var isFull = false
  private var nextRequest: MonotonicTime?

  private static let maxBytes = 256 << 20
  /// More packets than any tracks have in the longest queue.
  static let maxPackets = 1 << 16

  package init(_ settings: RecorderSettings) {
    limit = settings.queue
    reserve = settings.disk.reserve
    disk = DiskWatch(settings.disk)
  }

  package var length: MediaTime { lengths.values.max() ?? .zero }

  package mutating func offer(_ packet: MediaPacket, at now: MonotonicTime) -> Admission {
    isFull = isFull && length.nanoseconds > limit.nanoseconds / 2
    // After a loss, video is not decodable before a keyframe.
    let isDecodable = losses[packet.track] == nil || packet.isKeyframe
    let hasRoom =
      !isClosed && length < limit && bytes + packet.bytes.count <= Self.maxBytes && count < Self.maxPackets
    guard !isFull, isDecodable, hasRoom else {
      let needsKeyframe = !isFull && !isDecodable
      isFull = isFull || isDecodable
      losses.add(packet, at: packet.presentationTime, disk.isBehind ? disk.failure : .diskTooSlow)
      return .lost(needsKeyframe: needsKeyframe && isRequestDue(now))
    }
    count += 1
    bytes += packet.bytes.count
    lengths[packet.track, default: .zero] += packet.duration
    return .accepted(after: losses.removeValue(forKey: packet.track))
  }

  /// Limits keyframe requests to one per second.
  private mutating func isRequestDue(_ now: MonotonicTime) -> Bool {
    guard !isClosed, nextRequest.map({ $0 <= now }) ?? true else { return false }
    nextRequest = now + .seconds(1)
    return true
  }

  package mutating func remove(_ packet: MediaPacket) {
    count -= 1
    bytes -= packet.bytes.count
    lengths[packet.track, default: .zero] -= packet.duration
  }

  /// Counts an accepted packet as lost, as the queue was closed.
  mutating func reject(_ packet: MediaPacket) {
    remove(packet)
    losses.add(packet, at: packet.presentationTime, disk.isBehind ? disk.failure : .diskTooSlow)
  }

  /// Counts a packet from the queue that cannot be written.
  package mutating func lose(_ packet: MediaPacket, _ cause: Gap.Cause) {
    unwritten.add(packet, at: packet.presentationTime, cause)
  }

  /// The loss that ends with a written packet of `track`.
  package mutating func written(_ track: TrackKind) -> Recorder.Loss? { unwritten.removeValue(forKey: track) }

  package mutating func close() { isClosed = true }

  package mutating func takeLosses() -> [Recorder.Loss] {
    defer { (losses, unwritten) = ([:], [:]) }
    return lasting
  }

  var lasting: [Recorder.Loss] {
    // What was left in the queue is right before what found no room.
    Array(losses.merging(unwritten) { $1.followed(by: $0) }.values)
  }

  package mutating func publish(bytes: Int, at now: MonotonicTime) -> DiskState? {
    bytesWritten = bytes
    return disk.written(at: now)
  }

  mutating func measured(free: Int) { room = max(0, free - reserve) }

  /// Takes the length of the backlog as the delay of the disk.
  package mutating func checkDisk(at now: MonotonicTime) -> DiskState? { disk.check(queued: length, at: now) }
}

extension Recorder.Loss {
  fileprivate func followed(by other: Recorder.Loss) -> Recorder.Loss {
    var loss = self
    loss.duration += other.duration
    loss.packets += other.packets
    return loss
  }
}
