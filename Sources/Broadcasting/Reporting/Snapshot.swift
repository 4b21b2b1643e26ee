package import HoldfastMediaModel
package import HoldfastPublishing
package import HoldfastRecording

/// How a broadcast is doing at one instant.
package struct Snapshot: Hashable, Sendable {
  package enum State: String, Hashable, Sendable, CaseIterable {
    case previewing, starting, live, interrupted, backgrounded, ended
  }

  package var state = State.starting
  package var mediaTime = MediaTime.zero
  package var framesPerSecond = 0.0
  /// Measured, of all tracks together.
  package var bitsPerSecond = 0.0
  package var droppedFrames = 0
  package var xruns = 0
  /// In dBFS; nil where there is no sound.
  package var audioPeak: Double?
  /// The root mean square in dBFS; nil where there is no sound.
  package var audioLevel: Double?
  /// How much faster the sound device's clock runs than the machine's; nil until that is known.
  package var driftPPM: Double?
  package var recordedBytes: Int64 = 0
  /// How the recording's disk is; nil where nothing is recorded.
  package var disk: DiskState?
  /// How much media waits for it.
  package var recordQueue = MediaTime.zero
  package var outputs: [OutputStatus] = []

  package init() {}
}

/// How one output is doing.
package struct OutputStatus: Hashable, Sendable {
  package let id: String
  package let figures: OutputFigures
}
