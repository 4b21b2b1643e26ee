import HoldfastFFmpeg
import HoldfastMediaModel

/// Why a network source delivers nothing.
enum SourceFailure: Hashable, Sendable {
  case unreachable(String)
  /// The server refuses our credentials, or that there are none.
  case refused
  case notFound
  /// What answers is not media that can be used.
  case unusable(String)
  /// It sends more than is kept of it.
  case tooLarge
  case noTrack(TrackKind)
  case silent(MediaTime)
  case ended
  case stopped

  init(_ error: FFmpegError) {
    self =
      switch error.meaning {
      case .refused: .refused
      case .notFound: .notFound
      case .notMedia: .unusable(error.description)
      case .forbidden: .unreachable("it leads to a file or a protocol that a source must not open")
      case .brokenOff where error.operation == "read": .unreachable("the connection broke off")
      case .brokenOff: .unreachable("the server breaks off or redirects without end")
      case .other: .unreachable(error.reason)
      }
  }

  /// Trying again is pointless before a person has done something.
  var isFinal: Bool {
    switch self {
    case .refused, .unusable, .noTrack: true
    case .unreachable, .notFound, .tooLarge, .silent, .ended, .stopped: false
    }
  }

  func error(_ track: TrackKind, _ address: SourceAddress) -> CaptureError {
    let (kind, what, hint): (CaptureError.Kind, String, String) =
      switch self {
      case .unreachable(let why):
        (.lost, "the source can't be reached: \(why)", "check the address, the network and the server")
      case .refused:
        (.notPermitted, "the source refuses the user and password", "put the right ones into its address")
      case .notFound:
        (.lost, "the server does not have this stream", "check the path, and that somebody publishes it")
      case .unusable(let why):
        (.unsuitable, "the source can't be used: \(why)", "play it with ffprobe to see what it sends")
      case .tooLarge:
        (
          .unsuitable, "the source announces or sends too much at once",
          "check that the address is that of a stream, and who answers there"
        )
      case .noTrack(.video): (.unsuitable, "the source has no picture", "use --video off")
      case .noTrack(.audio): (.unsuitable, "the source has no sound", "use --audio off, or another source")
      case .silent(let time):
        (.lost, "no data for \(Int(time.seconds.rounded())) s", "check the source and the network")
      case .ended: (.lost, "the source has ended its stream", "check the source")
      case .stopped: (.lost, "stopped", "")
      }
    return CaptureError(kind, track, device: address.redacted, what: what, hint: hint, isRemote: true)
  }
}
