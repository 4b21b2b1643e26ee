internal import HoldfastMediaModel

/// A stretch that is missing from the recording or from one output.
public struct Gap: Hashable, Sendable {
  public let cause: GapCause
  /// The id of the output that lacks it; nil where all of them do.
  public let output: String?
  /// Where it lies on the broadcast's time line.
  public let mediaTime: Duration
  public let from: WallTime
  public let to: WallTime
  public let lostVideo: Duration
  public let lostPictures: Int
  public let lostAudio: Duration

  init(_ inner: HoldfastMediaModel.Gap) {
    cause = GapCause(inner.cause)
    output = inner.output
    mediaTime = Duration(inner.mediaAt)
    from = WallTime(inner: inner.wallFrom)
    to = WallTime(inner: inner.wallTo)
    lostVideo = Duration(inner.lostVideo)
    lostPictures = inner.lostPictures
    lostAudio = Duration(inner.lostAudio)
  }
}

/// Why something is missing.
public enum GapCause: Hashable, Sendable, CaseIterable {
  /// Somebody asked for an interruption.
  case user
  case system, crash, device, deviceBusy
  /// The source lost it before it came to the broadcaster.
  case source
  /// The sound device's buffer ran over.
  case overrun
  case encoderTooSlow, diskTooSlow
  /// There was no room on the disk.
  case disk
  /// The output's server could not be reached, or did not take it fast enough.
  case network

  init(_ inner: HoldfastMediaModel.Gap.Cause) {
    switch inner {
    case .user: self = .user
    case .system: self = .system
    case .crash: self = .crash
    case .device: self = .device
    case .deviceBusy: self = .deviceBusy
    case .source: self = .source
    case .xrun: self = .overrun
    case .encoderTooSlow: self = .encoderTooSlow
    case .diskTooSlow: self = .diskTooSlow
    case .disk: self = .disk
    case .network: self = .network
    }
  }
}
