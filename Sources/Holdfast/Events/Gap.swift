import HoldfastMediaModel

/// A range of media missing from the recording or from one output.
public struct Gap: Hashable, Sendable {
  /// Where media is missing.
  public enum Scope: Hashable, Sendable {
    case everywhere, recording
    /// In the output with this id.
    case output(String)
  }

  private(set) var inner: HoldfastMediaModel.Gap

  init(inner: HoldfastMediaModel.Gap) {
    self.inner = inner
    if inner.cause == .deviceBusy { self.inner.cause = .device }
  }

  /// Creates a gap for the test of code that receives gaps.
  public init(
    _ cause: GapCause, id: Int = 0, in scope: Scope = .everywhere, at mediaTime: Duration, from: WallTime,
    to: WallTime,
    lostVideo: Duration = .zero, lostPictures: Int = 0, lostAudio: Duration = .zero
  ) {
    let output: String? =
      switch scope {
      case .everywhere: nil
      case .recording: HoldfastMediaModel.Gap.recording
      case .output(let id): id
      }
    inner = HoldfastMediaModel.Gap(
      .init(as: cause), id: id, output: output, wallFrom: from.inner, wallTo: to.inner,
      mediaAt: MediaTime(mediaTime),
      lostVideo: MediaTime(lostVideo), lostPictures: lostPictures, lostAudio: MediaTime(lostAudio))
  }

  /// Unique in its broadcast.
  public var id: Int { inner.id }
  public var cause: GapCause { GapCause(as: inner.cause) }
  public var scope: Scope {
    inner.output.map { $0 == HoldfastMediaModel.Gap.recording ? .recording : .output($0) } ?? .everywhere
  }
  /// The position on the broadcast's timeline.
  public var mediaTime: Duration { Duration(inner.mediaAt) }
  /// The start of the gap, on the wall clock.
  public var from: WallTime { WallTime(inner: inner.wallFrom) }
  /// The end of the gap, on the wall clock.
  public var to: WallTime { WallTime(inner: inner.wallTo) }
  public var lostVideo: Duration { Duration(inner.lostVideo) }
  public var lostPictures: Int { inner.lostPictures }
  public var lostAudio: Duration { Duration(inner.lostAudio) }
  /// Whether a slate or silence took the place of what was lost; nil if that is not known.
  public var isFilled: Bool? { inner.isFilled }
}

/// Why media is missing.
public enum GapCause: String, Hashable, Sendable, CaseIterable {
  /// A user requested the interruption.
  case user
  /// The desktop session was locked or inactive.
  case system
  case crash
  /// The worker that composed a programme was gone, until another one took its job over.
  case worker
  /// The device was lost or in use by another program.
  case device
  /// The source lost it before delivering it.
  case source
  /// The sound device's buffer overran.
  case overrun = "xrun"
  case encoderTooSlow, diskTooSlow
  /// The disk was full.
  case disk
  /// The disk refused writes for another reason.
  case diskFailed
  /// The recording's file or folder was removed or replaced.
  case fileGone
  /// The output's server was unreachable or too slow.
  case network
}
