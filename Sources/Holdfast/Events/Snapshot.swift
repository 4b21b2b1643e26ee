import HoldfastBroadcasting
import HoldfastMediaModel
import HoldfastPublishing
import HoldfastRecording

/// Measurements of a broadcast at one instant.
public struct Snapshot: Hashable, Sendable {
  let inner: HoldfastBroadcasting.Snapshot

  public var mediaTime: Duration { Duration(inner.mediaTime) }
  /// The measured frame rate.
  public var framesPerSecond: Double { inner.framesPerSecond }
  /// The measured bitrate of all tracks together.
  public var bitsPerSecond: Double { inner.bitsPerSecond }
  public var droppedPictures: Int { inner.droppedFrames }
  /// The peak level in dBFS; nil without sound.
  public var audioPeak: Double? { inner.audioPeak }
  /// The RMS level in dBFS; nil without sound.
  public var audioLevel: Double? { inner.audioLevel }
  public var recordedBytes: Int64 { inner.recordedBytes }
  /// The state of the recording's disk; nil if nothing is recorded.
  public var disk: DiskState? { inner.disk.map(DiskState.init) }
  public var outputs: [OutputStatus] { inner.outputs.map(OutputStatus.init) }
}

/// Measurements of one output at one instant.
public struct OutputStatus: Hashable, Sendable {
  let inner: HoldfastBroadcasting.OutputStatus

  public var id: String { inner.id }
  public var state: OutputState { OutputState(inner.figures.condition) }
  /// Media that waits to be sent.
  public var queued: Duration { Duration(inner.figures.queued) }
  public var bytesSent: Int64 { Int64(inner.figures.bytesSent) }
  /// The measured round trip to the server; nil if unknown.
  public var roundTrip: Duration? { inner.figures.roundTrip.map(Duration.init) }
  /// What the server did not get, by the track that lost more.
  public var lost: Duration { Duration(inner.figures.lost) }
}
