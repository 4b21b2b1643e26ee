internal import HoldfastMediaModel

/// Hands a track's packets on, the track itself before the first of them.
struct TrackSender {
  private let destination: LaneDestination
  private var isAnnounced = false

  init(_ destination: LaneDestination) {
    self.destination = destination
  }

  /// Says what the track is as soon as that is known: a server is told before the first packet.
  mutating func announce(_ track: Track?) {
    guard !isAnnounced, let track else { return }
    destination.announce(track)
    isAnnounced = true
  }

  mutating func send(_ packets: [MediaPacket], of track: Track?) {
    guard !packets.isEmpty else { return }
    announce(track)
    destination.send(packets)
  }
}

/// Why nothing can be encoded.
struct EncodingError: Error, CustomStringConvertible {
  let what: String
  var description: String { what }
}
