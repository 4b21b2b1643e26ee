internal import HoldfastMediaModel

/// A stretch that is missing from the recording or from one output.
public struct Gap: Hashable, Sendable {
  let inner: HoldfastMediaModel.Gap

  public var cause: GapCause { GapCause(as: inner.cause) }
  /// The id of the output that lacks it; nil where all of them do.
  public var output: String? { inner.output }
  /// Where it lies on the broadcast's time line.
  public var mediaTime: Duration { Duration(inner.mediaAt) }
  public var from: WallTime { WallTime(inner: inner.wallFrom) }
  public var to: WallTime { WallTime(inner: inner.wallTo) }
  public var lostVideo: Duration { Duration(inner.lostVideo) }
  public var lostPictures: Int { inner.lostPictures }
  public var lostAudio: Duration { Duration(inner.lostAudio) }
}

/// Why something is missing.
public enum GapCause: String, Hashable, Sendable, CaseIterable {
  /// Somebody asked for an interruption.
  case user
  case system, crash, device, deviceBusy
  /// The source lost it before it came to the broadcaster.
  case source
  /// The sound device's buffer ran over.
  case overrun = "xrun"
  case encoderTooSlow, diskTooSlow
  /// There was no room on the disk.
  case disk
  /// The output's server could not be reached, or did not take it fast enough.
  case network
}
