internal import HoldfastMediaModel
internal import HoldfastPlatform

/// What waits for the disk: so many seconds at most, and no more bytes than memory can spare.
final class RecorderQueue: Sendable {
  enum Item: Sendable {
    case track(Track)
    case packet(MediaPacket)
    case pause
  }

  private struct Fill: Sendable {
    var bytes = 0
    /// What there is of each track.
    var lengths: [TrackKind: MediaTime] = [:]
    var isClosed = false

    var length: MediaTime { lengths.values.max() ?? .zero }
  }

  private let items: BoundedQueue<Item>
  private let fill = Locked(Fill())
  private let limit: MediaTime
  private let closing: StopSignal

  private static let mostBytes = 256 << 20
  /// More than any tracks have in the longest queue.
  private static let mostItems = 1 << 16

  init(limit: MediaTime) throws(SystemError) {
    closing = try StopSignal()
    self.limit = limit
    items = BoundedQueue(capacity: Self.mostItems)
  }

  /// How much media waits.
  var length: MediaTime { fill.withLock { $0.length } }
  var isClosed: Bool { fill.withLock { $0.isClosed } }

  func offer(_ item: Item) -> Bool { items.offer(item) }

  /// False, and it is gone, where there is no room for it.
  func offer(_ packet: MediaPacket) -> Bool {
    let hasRoom = fill.withLock { fill in
      guard !fill.isClosed, fill.length < limit, fill.bytes + packet.bytes.count <= Self.mostBytes else {
        return false
      }
      fill.bytes += packet.bytes.count
      fill.lengths[packet.track, default: .zero] += packet.duration
      return true
    }
    guard hasRoom else { return false }
    guard !items.offer(.packet(packet)) else { return true }
    leave(packet)
    return false
  }

  /// The oldest item; nil when `deadline` has come, or when it is closed and empty.
  func take(until deadline: MonotonicTime?) -> Item? {
    guard let item = items.take(until: deadline) else { return nil }
    if case .packet(let packet) = item { leave(packet) }
    return item
  }

  private func leave(_ packet: MediaPacket) {
    fill.withLock { fill in
      fill.bytes -= packet.bytes.count
      fill.lengths[packet.track, default: .zero] -= packet.duration
    }
  }

  /// Takes nothing until `deadline`; false when it is closed before.
  func rest(until deadline: MonotonicTime) -> Bool {
    !closing.wait(until: deadline)
  }

  /// Nothing more comes.
  func close() {
    fill.withLock { $0.isClosed = true }
    closing.signal()
    items.close()
  }
}
