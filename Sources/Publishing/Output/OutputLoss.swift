package import HoldfastMediaModel

/// Media that an output did not deliver.
package struct OutputLoss: Hashable, Sendable {
  /// Media time of the first loss.
  package private(set) var mediaAt: MediaTime?
  /// End of the last loss.
  package private(set) var mediaEnd = MediaTime.zero
  package private(set) var video = MediaTime.zero
  package private(set) var pictures = 0
  package private(set) var audio = MediaTime.zero

  package init() {}

  package var isEmpty: Bool { mediaAt == nil }

  mutating func add(_ packet: MediaPacket) {
    add(packet.track, at: packet.decodeTime, packet.duration)
  }

  package mutating func add(_ track: TrackKind, at time: MediaTime, _ duration: MediaTime) {
    mediaAt = min(mediaAt ?? time, time)
    mediaEnd = max(mediaEnd, time + duration)
    switch track {
    case .video:
      video += duration
      pictures += 1
    case .audio: audio += duration
    }
  }

  package mutating func add(_ other: OutputLoss) {
    guard let time = other.mediaAt else { return }
    mediaAt = min(mediaAt ?? time, time)
    mediaEnd = max(mediaEnd, other.mediaEnd)
    video += other.video
    pictures += other.pictures
    audio += other.audio
  }
}
