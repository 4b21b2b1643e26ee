public import MediaModel

/// What one output did not get, of all that was made.
public struct OutputLoss: Hashable, Sendable {
  /// Where the first of it lies on the media time line.
  public private(set) var mediaAt: MediaTime?
  public private(set) var video = MediaTime.zero
  public private(set) var pictures = 0
  public private(set) var audio = MediaTime.zero

  public init() {}

  public var isEmpty: Bool { mediaAt == nil }

  mutating func add(_ packet: MediaPacket) {
    add(packet.track, at: packet.decodeTime, packet.duration)
  }

  mutating func add(_ track: TrackKind, at time: MediaTime, _ duration: MediaTime) {
    mediaAt = min(mediaAt ?? time, time)
    switch track {
    case .video:
      video += duration
      pictures += 1
    case .audio:
      audio += duration
    }
  }

  public mutating func add(_ other: OutputLoss) {
    guard let time = other.mediaAt else { return }
    mediaAt = min(mediaAt ?? time, time)
    video += other.video
    pictures += other.pictures
    audio += other.audio
  }
}
