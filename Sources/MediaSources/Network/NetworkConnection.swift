import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastPlatform

/// An open connection to a network source. Read by the thread of its stream; each track is taken by its own thread.
final class NetworkConnection: Sendable {
  let address: SourceAddress
  let tracks: [TrackKind: NetworkTrack]
  private let queues: [TrackKind: ArrivalQueue]
  private let clock: Locked<SourceClocks>
  let latency: MediaTime
  private let end = Locked<SourceFailure?>(nil)

  static let maxReordering = MediaTime.seconds(2)

  init(_ tracks: [TrackKind: NetworkTrack], isAhead: Bool, _ settings: NetworkSettings) {
    address = settings.address
    latency = settings.latency
    self.tracks = tracks
    queues = Dictionary(uniqueKeysWithValues: tracks.keys.map { ($0, ArrivalQueue($0)) })
    clock = Locked(SourceClocks(isAhead ? .ahead : .live, latency: settings.latency))
  }

  /// Takes a packet in.
  func add(_ packet: consuming NetworkPacket, at now: MonotonicTime) {
    let (kind, stamp) = (packet.track.kind, packet.stamp)
    let era = stamp.map { stamp in clock.withLock { $0.add(stamp, of: kind, arrival: now) } }
    queues[kind]?.offer(packet, at: ArrivalTime(kind: kind, stamp: stamp, era: era, time: now))
  }

  /// No more packets will come.
  func finish(_ failure: SourceFailure) { end.withLock { $0 = $0 ?? failure } }

  /// Why no more packets will come; nil while they do.
  var failure: SourceFailure? { end.withLock { $0 } }

  /// Whether a packet of the track is waiting.
  func hasMedia(_ kind: TrackKind) -> Bool { queues[kind]?.isEmpty == false }

  /// Whether the reading has to wait for the tracks to be taken.
  var isFull: Bool { queues.values.contains { $0.isFull } }

  func take(_ kind: TrackKind, until deadline: MonotonicTime) -> Arrival? {
    queues[kind]?.take(until: deadline)
  }

  /// When the media of `stamp`, which came out of a packet of `arrival`, was captured, by our clock.
  func time(of stamp: MediaTime?, _ arrival: ArrivalTime) -> MonotonicTime {
    guard let stamp, let own = arrival.stamp, let era = arrival.era else { return arrival.time }
    // What a decoder has kept may have a stamp from before a jump.
    let isFar = max(own, stamp) - min(own, stamp) > Self.maxReordering
    return clock.withLock { $0.time(of: isFar ? own : stamp, arrival.kind, era) } ?? arrival.time
  }

  /// When a packet is to be decoded, with the jitter buffer behind it.
  func dueTime(of arrival: ArrivalTime) -> MonotonicTime { time(of: arrival.stamp, arrival) + latency }
}
