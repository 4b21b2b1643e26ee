internal import HoldfastBroadcasting
internal import HoldfastMediaModel
internal import HoldfastPublishing
internal import HoldfastRecording

/// What a broadcast came to.
public struct Report: Hashable, Sendable, CustomStringConvertible {
  let inner: HoldfastBroadcasting.Report

  public var duration: Duration { Duration(inner.duration) }
  /// Nil where nothing was recorded.
  public var recordingPath: String? { inner.recordingPath }
  public var recordedBytes: Int64 { inner.recordedBytes }
  /// How many outputs have taken something.
  public var outputs: Int { inner.outputs }
  public var interruptions: Int { inner.interruptions }
  /// How long the interruptions lasted together.
  public var interrupted: Duration { Duration(inner.interrupted) }
  public var gaps: [Gap] { inner.gaps.map(Gap.init) }
  /// One line for a person.
  public var description: String { inner.description }
}

/// How a broadcast is doing at one instant.
public struct Snapshot: Hashable, Sendable {
  let inner: HoldfastBroadcasting.Snapshot

  public var mediaTime: Duration { Duration(inner.mediaTime) }
  /// Measured.
  public var framesPerSecond: Double { inner.framesPerSecond }
  /// Measured, of all tracks together.
  public var bitsPerSecond: Double { inner.bitsPerSecond }
  public var droppedFrames: Int { inner.droppedFrames }
  /// The loudest sample in dBFS; nil where there is no sound.
  public var audioPeak: Double? { inner.audioPeak }
  /// The root mean square in dBFS; nil where there is no sound.
  public var audioLevel: Double? { inner.audioLevel }
  public var recordedBytes: Int64 { inner.recordedBytes }
  /// Nil where nothing is recorded.
  public var disk: DiskState? { inner.disk.map(DiskState.init) }
  public var outputs: [OutputStatus] { inner.outputs.map(OutputStatus.init) }
}

/// How one output is doing at one instant.
public struct OutputStatus: Hashable, Sendable {
  let inner: HoldfastBroadcasting.OutputStatus

  public var id: String { inner.id }
  public var state: OutputState { OutputState(inner.figures.condition) }
}
