import HoldfastCapture
import HoldfastMediaModel

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
      throw ChangeError(.notPossible, "a track can't be left out of a broadcast that runs", hint: "mute it")
    case .video where configuration.video.source == .off, .audio where configuration.audio.source == .off:
      throw ChangeError(
        .notPossible, "there is no \(track.rawValue) in this broadcast",
        hint: "start it with --\(track.rawValue)")
    case .video where configuration.video.encoder == .copy:
      throw ChangeError(
        .notPossible, "the camera's own encoding can't go on with another one's (--encoder copy)",
        hint: "start it with --encoder auto")
    case .video, .audio: break
    }
  }
}

/// Why a change to a running broadcast failed; everything is unchanged.
package struct ChangeError: Error, Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Not possible in this state or with this configuration.
    case notPossible
    /// Another change is pending, or the device is in use.
    case busy
    case notFound
    case unusable
  }

  package let kind: Kind
  package let what: String
  package let hint: String

  init(_ kind: Kind, _ what: String, hint: String) {
    self.kind = kind
    self.what = what
    self.hint = hint
  }

  static let isOver = ChangeError(.notPossible, "it is over", hint: "start holdfast again")

  init(_ error: CaptureError) {
    let kind: Kind =
      switch error.kind {
      case .notFound: .notFound
      case .busy: .busy
      case .lost, .unsuitable, .notPermitted: .unusable
      }
    self.init(kind, "\(error.device): \(error.what)", hint: error.hint)
  }
}

extension ChangeError: CustomStringConvertible {
  package var description: String { "\(what); \(hint)" }
}
