import HoldfastMediaModel
import HoldfastMediaSources

package enum SourceChange: Hashable, Sendable {
  case video(VideoSelection)
  case audio(AudioSelection)

  var track: TrackKind {
    switch self {
    case .video: .video
    case .audio: .audio
    }
  }

  var source: String {
    switch self {
    case .video(let selection): selection.description
    case .audio(let selection): selection.description
    }
  }

  func applied(to configuration: Configuration) -> Configuration {
    var configuration = configuration
    switch self {
    case .video(let selection): configuration.video.source = selection
    case .audio(let selection): configuration.audio.source = selection
    }
    return configuration
  }

  /// Throws for changes that are invalid in any state.
  func check(_ configuration: Configuration) throws(ChangeError) {
    switch self {
    case .video(.off), .audio(.off):
      throw ChangeError(.notPossible, "a track can't be removed from a running broadcast", hint: "mute it")
    case .video where configuration.video.source == .off, .audio where configuration.audio.source == .off:
      throw ChangeError(
        .notPossible, "there is no \(track.rawValue) in this broadcast",
        hint: "start one with \(track.rawValue)")
    case .video(.grid) where configuration.programme.tiles.isEmpty,
      .audio(.grid) where configuration.programme.tiles.isEmpty:
      throw ChangeError(
        .notPossible, "the grid has no tiles", hint: "start the broadcast with --tile NAME=SOURCE")
    case .video(.stage(let session)) where configuration.stage != session,
      .audio(.stage(let session)) where configuration.stage != session:
      throw ChangeError(
        .notPossible, "this broadcast is not a programme of that session",
        hint: "start it with --video stage:\(session)")
    case .video where configuration.video.encoder == .copy:
      throw ChangeError(
        .notPossible, "a camera's encoded stream can't switch to another source",
        hint: "start it with another encoder than copy")
    case .video, .audio: break
    }
  }
}
