internal import HoldfastMediaModel

/// Which tracks are muted, in all of a broadcaster's broadcasts.
struct Mutes: Sendable {
  private let video = MuteSwitch()
  private let audio = MuteSwitch()

  subscript(track: TrackKind) -> MuteSwitch {
    switch track {
    case .video: video
    case .audio: audio
    }
  }

  var muted: Set<TrackKind> { Set(TrackKind.allCases.filter { self[$0].isMuted }) }
}
