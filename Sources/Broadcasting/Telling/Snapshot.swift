public import MediaModel
public import Recording

/// How a broadcast is doing at one instant.
public struct Snapshot: Hashable, Sendable {
  public enum State: String, Hashable, Sendable, CaseIterable {
    case previewing, starting, live, interrupted, backgrounded, ended
  }

  public var state = State.starting
  public var mediaTime = MediaTime.zero
  /// Measured, not wanted.
  public var framesPerSecond = 0.0
  /// Measured, of all tracks together.
  public var bitsPerSecond = 0.0
  public var droppedFrames = 0
  public var xruns = 0
  /// In dBFS; nil where there is no sound.
  public var audioPeak: Double?
  /// The root mean square in dBFS; nil where there is no sound.
  public var audioLevel: Double?
  /// How much faster the sound device's clock runs than the machine's; nil until that is known.
  public var driftPPM: Double?
  public var recordedBytes: Int64 = 0
  /// How the recording's disk is; nil where nothing is recorded.
  public var disk: DiskState?
  /// How much media waits for it.
  public var recordQueue = MediaTime.zero
  public var outputs: [OutputStatus] = []

  public init() {}
}
