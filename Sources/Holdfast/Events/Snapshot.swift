import HoldfastBroadcasting
import HoldfastMediaModel
import HoldfastPublishing
import HoldfastRecording

/// Measurements of a broadcast at one instant.
public struct Snapshot: Hashable, Sendable {
  public var mediaTime = Duration.zero
  /// The measured frame rate.
  public var framesPerSecond = 0.0
  /// The measured bitrate of all tracks together.
  public var bitsPerSecond = 0.0
  public var droppedPictures = 0
  /// The peak level in dBFS; nil without sound.
  public var audioPeak: Double?
  /// The RMS level in dBFS; nil without sound.
  public var audioLevel: Double?
  public var recordedBytes: Int64 = 0
  /// The state of the recording's disk; nil if nothing is recorded.
  public var disk: DiskState?
  public var onAir = OnAir.off
  public var outputs: [OutputStatus] = []
  /// What is missing and not over yet, so far; a gap with the same id ends each.
  public var losing: [Gap] = []

  /// Creates the snapshot of a broadcast that has not begun.
  public init() {}

  init(_ inner: HoldfastBroadcasting.Snapshot) {
    mediaTime = Duration(inner.mediaTime)
    (framesPerSecond, bitsPerSecond) = (inner.framesPerSecond, inner.bitsPerSecond)
    droppedPictures = inner.droppedPictures
    (audioPeak, audioLevel) = (inner.audioPeak, inner.audioLevel)
    recordedBytes = inner.recordedBytes
    disk = inner.disk.map(DiskState.init)
    onAir = OnAir(as: inner.air)
    losing = inner.losing.map(Gap.init)
    outputs = inner.outputs.map { OutputStatus(id: $0.id, $0.figures) }
  }
}

/// Measurements of one output at one instant.
public struct OutputStatus: Hashable, Sendable {
  public let id: String
  public let state: OutputState
  /// Media that waits to be sent.
  public var queued = Duration.zero
  public var bytesSent: Int64 = 0
  /// The measured round trip to the server; nil if unknown.
  public var roundTrip: Duration?
  /// What the server did not get, by the track that lost more.
  public var lost = Duration.zero

  /// Creates the status of an output that has sent nothing.
  public init(id: String, state: OutputState) { (self.id, self.state) = (id, state) }

  init(id: String, _ figures: OutputFigures) {
    self.init(id: id, state: OutputState(figures.condition))
    (queued, lost) = (Duration(figures.queued), Duration(figures.allLost))
    bytesSent = Int64(figures.bytesSent)
    roundTrip = figures.roundTrip.map(Duration.init)
  }
}
