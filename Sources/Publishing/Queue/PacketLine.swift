import HoldfastMediaModel

struct PacketLine: Sendable {
  /// Slots before `head` are free.
  private var slots: [MediaPacket?] = []
  private var head = 0
  private(set) var bytes = 0
  private var pictures = 0

  private static let minFreeSlots = 256

  var isEmpty: Bool { head == slots.count }
  var hasVideo: Bool { pictures > 0 }
  var hasKeyframe: Bool {
    slots[head...].contains { packet in packet.map { $0.track == .video && $0.isKeyframe } ?? false }
  }

  /// From the oldest picture to the newest packet; without pictures, from the oldest packet.
  var duration: MediaTime {
    let start = hasVideo ? slots[head...].first { $0?.track == .video } ?? nil : first
    guard let start, let last = slots.last ?? nil else { return .zero }
    return max(.zero, last.decodeTime - start.decodeTime)
  }

  var span: MediaTime {
    guard let first, let last = slots.last ?? nil else { return .zero }
    return max(.zero, last.decodeTime - first.decodeTime)
  }

  /// The time of the first packet of each track.
  var oldest: [TrackKind: MediaTime] {
    let times = TrackKind.allCases.compactMap { kind in
      slots[head...].lazy.compactMap(\.self).first { $0.track == kind }.map { (kind, $0.decodeTime) }
    }
    return Dictionary(uniqueKeysWithValues: times)
  }

  var first: MediaPacket? { isEmpty ? nil : slots[head] }

  mutating func append(_ packet: MediaPacket) {
    slots.append(packet)
    bytes += packet.bytes.count
    if packet.track == .video { pictures += 1 }
  }

  mutating func popFirst() -> MediaPacket? {
    guard let packet = first else { return nil }
    slots[head] = nil
    head += 1
    forget(packet)
    if head >= Self.minFreeSlots, head * 2 >= slots.count {
      slots.removeFirst(head)
      head = 0
    }
    return packet
  }

  /// Removes and returns everything before the first keyframe.
  mutating func removeUntilKeyframe() -> [MediaPacket] {
    var removed: [MediaPacket] = []
    while let packet = first, packet.track != .video || !packet.isKeyframe {
      if let packet = popFirst() { removed.append(packet) }
    }
    return removed
  }

  /// Removes and returns the packets of a track.
  mutating func removeAll(of track: TrackKind) -> [MediaPacket] {
    let removed = slots[head...].compactMap(\.self).filter { $0.track == track }
    slots = slots[head...].filter { $0?.track != track }
    head = 0
    for packet in removed { forget(packet) }
    return removed
  }

  /// Removes and returns the pictures from the oldest to the next keyframe.
  mutating func removeRestOfGOP() -> [MediaPacket] {
    guard let start = slots[head...].firstIndex(where: { $0?.track == .video }) else { return [] }
    let next = slots[(start + 1)...].firstIndex { $0?.track == .video && $0?.isKeyframe == true }
    let end = next ?? slots.count
    let removed = slots[start..<end].compactMap { $0 }.filter { $0.track == .video }
    let kept = slots[start..<end].filter { $0?.track != .video }
    slots.replaceSubrange(start..<end, with: kept)
    for packet in removed { forget(packet) }
    return removed
  }

  private mutating func forget(_ packet: MediaPacket) {
    bytes -= packet.bytes.count
    if packet.track == .video { pictures -= 1 }
  }
}
