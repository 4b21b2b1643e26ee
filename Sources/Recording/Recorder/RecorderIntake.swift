package import HoldfastMediaModel

/// What those who offer packets share with the thread that writes them: how much waits, what was lost, how the disk is.
package struct RecorderIntake: Sendable {
  package enum Admission: Hashable, Sendable {
    /// It goes into the queue; the loss of its track that it ends is over.
    case taken(after: Recorder.Loss?)
    /// It is lost. Behind a loss the picture can go on earlier if there is a keyframe.
    case lost(needsKeyframe: Bool)
  }

  private let limit: MediaTime
  package var disk: DiskWatch
  package var bytesWritten = 0
  private(set) package var isClosed = false
  private var losses: [TrackKind: Recorder.Loss] = [:]
  /// What waits: of each track, in packets, and in bytes.
  private var lengths: [TrackKind: MediaTime] = [:]
  private var count = 0
  private var bytes = 0
  /// The queue was full, and has not yet become half empty: what it takes meanwhile would be one gap after another.
  private var isFull = false
  private var nextRequest: MonotonicTime?

  private static let maxBytes = 256 << 20
  /// More than any tracks have in the longest queue.
  static let maxPackets = 1 << 16

  package init(_ settings: RecorderSettings) {
    limit = settings.queue
    disk = DiskWatch(settings.disk)
  }

  /// How much media waits.
  package var length: MediaTime { lengths.values.max() ?? .zero }

  package mutating func offer(_ packet: MediaPacket, at now: MonotonicTime) -> Admission {
    isFull = isFull && length.nanoseconds > limit.nanoseconds / 2
    // After a loss the picture goes on with a keyframe: nothing before it could be decoded.
    let isDecodable = losses[packet.track] == nil || packet.isKeyframe
    let hasRoom =
      !isClosed && length < limit && bytes + packet.bytes.count <= Self.maxBytes && count < Self.maxPackets
    guard !isFull, isDecodable, hasRoom else {
      let needsKeyframe = !isFull && !isDecodable
      isFull = isFull || isDecodable
      lose(packet, isHeld: disk.isBehind)
      return .lost(needsKeyframe: needsKeyframe && isRequestDue(now))
    }
    count += 1
    bytes += packet.bytes.count
    lengths[packet.track, default: .zero] += packet.duration
    return .taken(after: losses.removeValue(forKey: packet.track))
  }

  /// A keyframe is asked for, but not with each picture that comes until it is there.
  private mutating func isRequestDue(_ now: MonotonicTime) -> Bool {
    guard !isClosed, nextRequest.map({ $0 <= now }) ?? true else { return false }
    nextRequest = now + .seconds(1)
    return true
  }

  /// The packet has left the queue.
  package mutating func take(_ packet: MediaPacket) {
    count -= 1
    bytes -= packet.bytes.count
    lengths[packet.track, default: .zero] -= packet.duration
  }

  /// The packet has found a queue that is closed.
  mutating func giveUp(_ packet: MediaPacket) {
    take(packet)
    lose(packet, isHeld: disk.isBehind)
  }

  /// With `isHeld` the disk refused it, else it was too slow.
  package mutating func lose(_ packet: MediaPacket, isHeld: Bool) {
    var loss =
      losses[packet.track]
      ?? Recorder.Loss(
        track: packet.track, at: packet.presentationTime, duration: .zero, packets: 0, isHeld: isHeld)
    // What is given up in the queue lies before what found no room in it.
    loss.at = min(loss.at, packet.presentationTime)
    loss.duration += packet.duration
    loss.packets += 1
    losses[packet.track] = loss
  }

  /// Nothing more is taken.
  package mutating func close() {
    isClosed = true
  }

  /// What was lost last, when nothing more comes.
  package mutating func takeLosses() -> [Recorder.Loss] {
    defer { losses = [:] }
    return Array(losses.values)
  }

  package mutating func publish(bytes: Int, at now: MonotonicTime) -> DiskState? {
    bytesWritten = bytes
    return disk.written(at: now)
  }

  /// As old as what waits the disk is behind.
  package mutating func checkDisk(at now: MonotonicTime) -> DiskState? {
    disk.check(queued: length, at: now)
  }
}
