internal import MediaModel

/// Hands a track's packets on, the track itself before the first of them.
struct TrackSender {
  private let surroundings: LaneSurroundings
  private var isAnnounced = false

  init(_ surroundings: LaneSurroundings) {
    self.surroundings = surroundings
  }

  mutating func send(_ packets: [MediaPacket], of track: Track?) {
    guard let track, !packets.isEmpty else { return }
    if !isAnnounced {
      surroundings.announce(track)
      isAnnounced = true
    }
    surroundings.send(packets)
  }
}

/// Why nothing can be encoded.
struct EncodingError: Error, CustomStringConvertible {
  let what: String
  var description: String { what }
}
