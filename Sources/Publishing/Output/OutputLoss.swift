package import HoldfastMediaModel

/// Media that an output did not deliver.
package struct OutputLoss: Hashable, Sendable {
  /// From the first loss of a track to the end of the last; nil without a loss.
  private var videoPlace: Range<MediaTime>?
  private var audioPlace: Range<MediaTime>?
  package private(set) var video = MediaTime.zero
  package private(set) var pictures = 0
  package private(set) var audio = MediaTime.zero
  package var cause = Gap.Cause.network

  package init() {}

  package var isEmpty: Bool { place == nil }

  /// From the first missing picture to the end of the last; of the sound, which is sent somewhat later, if no picture is
  /// missing. Nil without a loss.
  package var place: Range<MediaTime>? { videoPlace ?? audioPlace }

  mutating func add(_ packet: MediaPacket) { add(packet.track, at: packet.decodeTime, packet.duration) }

  package mutating func add(_ track: TrackKind, at time: MediaTime, _ duration: MediaTime) {
    let new = time..<(time + duration)
    switch track {
    case .video:
      videoPlace = Self.joined(videoPlace, new)
      video += duration
      pictures += 1
    case .audio:
      audioPlace = Self.joined(audioPlace, new)
      audio += duration
    }
  }

  package mutating func add(_ other: OutputLoss) {
    videoPlace = Self.joined(videoPlace, other.videoPlace)
    audioPlace = Self.joined(audioPlace, other.audioPlace)
    video += other.video
    pictures += other.pictures
    audio += other.audio
  }

  private static func joined(_ one: Range<MediaTime>?, _ other: Range<MediaTime>?) -> Range<MediaTime>? {
    guard let one, let other else { return one ?? other }
    return min(one.lowerBound, other.lowerBound)..<max(one.upperBound, other.upperBound)
  }
}
