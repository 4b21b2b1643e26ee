package import HoldfastMediaModel
package import HoldfastRecording

extension Configuration {
  /// The recording's files and their disk.
  package struct Recording: Hashable, Sendable {
    /// The folder of the files; nil for no recording.
    package var directory: String? = "recordings"
    /// When a recording goes on in a new file; nil for never.
    package var segment: SegmentLength?
    /// What the shell runs for each finished recording.
    package var onSegment: String?
    /// How long the end of the program waits for it.
    package var onSegmentWait = MediaTime.seconds(10)
    /// Finished recordings that are older, or more than that in all, are deleted; nil to keep them.
    package var keepAge: MediaTime?
    package var keepSize: Int?
    /// Bytes that the recording leaves free on its disk; 0 for none.
    package var diskReserve = 256 << 20
    /// How often what was recorded is made to outlive a power cut.
    package var syncEvery = MediaTime.seconds(1)
    /// An interruption leaves a hole of its length in the recording.
    package var keepGaps = false
    /// How long a disk may stand still before anything is lost.
    package var queue = MediaTime.seconds(20)
  }

  func validateRecording() throws(ConfigurationError) {
    try require(
      recording.segment?.isLongEnough ?? true, .segment,
      why: "a file would hold next to nothing", remedy: "it may be 1s or 1M, or more")
    try require(
      recording.onSegmentWait >= .zero && recording.onSegmentWait <= .seconds(3600), .onSegmentWait,
      why: "out of range", remedy: "it may be 0 to 1h")
    try require(
      recording.keepAge.map { $0 >= .seconds(1) } ?? true, .keepAge,
      why: "nothing would be kept", remedy: "it may be 1s or more")
    try require(
      recording.keepSize.map { $0 >= 1 << 20 } ?? true, .keepSize,
      why: "nothing would be kept", remedy: "it may be 1M or more")
    try require(
      (0...1 << 40).contains(recording.diskReserve), .diskReserve,
      why: "out of range", remedy: "it may be 0, which turns it off, to 1T")
    try require(
      recording.syncEvery >= .milliseconds(250) && recording.syncEvery <= .seconds(60), .syncEvery,
      why: "out of range", remedy: "it may be 250ms to 60s")
    try require(
      recording.queue >= .seconds(1) && recording.queue <= .seconds(120), .recordQueue,
      why: "out of range", remedy: "it may be 1s to 2m")
  }
}
