internal import HoldfastBroadcasting
internal import HoldfastMediaModel
internal import HoldfastPublishing
internal import HoldfastRecording

/// What a broadcast came to.
public struct Report: Hashable, Sendable, CustomStringConvertible {
  public let duration: Duration
  /// Nil where nothing was recorded.
  public let recordingPath: String?
  public let recordedBytes: Int64
  /// How many outputs have taken something.
  public let outputs: Int
  public let interruptions: Int
  /// How long the interruptions lasted together.
  public let interrupted: Duration
  public let gaps: [Gap]
  /// One line for a person.
  public let description: String

  init(_ inner: HoldfastBroadcasting.Report) {
    duration = Duration(inner.duration)
    recordingPath = inner.recordingPath
    recordedBytes = inner.recordedBytes
    outputs = inner.outputs
    interruptions = inner.interruptions
    interrupted = Duration(inner.interrupted)
    gaps = inner.gaps.map(Gap.init)
    description = inner.description
  }
}

/// How a broadcast is doing at one instant.
public struct Snapshot: Hashable, Sendable {
  public let mediaTime: Duration
  /// Measured.
  public let framesPerSecond: Double
  /// Measured, of all tracks together.
  public let bitsPerSecond: Double
  public let droppedFrames: Int
  /// The loudest sample in dBFS; nil where there is no sound.
  public let audioPeak: Double?
  /// The root mean square in dBFS; nil where there is no sound.
  public let audioLevel: Double?
  public let recordedBytes: Int64
  /// Nil where nothing is recorded.
  public let disk: DiskState?
  public let outputs: [OutputStatus]

  init(_ inner: HoldfastBroadcasting.Snapshot) {
    mediaTime = Duration(inner.mediaTime)
    framesPerSecond = inner.framesPerSecond
    bitsPerSecond = inner.bitsPerSecond
    droppedFrames = inner.droppedFrames
    audioPeak = inner.audioPeak
    audioLevel = inner.audioLevel
    recordedBytes = inner.recordedBytes
    disk = inner.disk.map(DiskState.init)
    outputs = inner.outputs.map(OutputStatus.init)
  }
}

/// How one output is doing at one instant.
public struct OutputStatus: Hashable, Sendable {
  public let id: String
  public let state: OutputState

  init(_ inner: HoldfastBroadcasting.OutputStatus) {
    id = inner.id
    state = OutputState(inner.figures.condition)
  }
}
