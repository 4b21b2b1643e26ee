internal import HoldfastMediaModel
internal import HoldfastRecording

extension Configuration {
  /// The recording's files and their disk.
  func validateRecording() throws(ConfigurationError) {
    try require(
      segment?.isLongEnough ?? true, .segment,
      why: "a file would hold next to nothing", remedy: "it may be 1s or 1M, or more")
    try require(
      onSegmentWait >= .zero && onSegmentWait <= .seconds(3600), .onSegmentWait,
      why: "out of range", remedy: "it may be 0 to 1h")
    try require(
      keepAge.map { $0 >= .seconds(1) } ?? true, .keepAge,
      why: "nothing would be kept", remedy: "it may be 1s or more")
    try require(
      keepSize.map { $0 >= 1 << 20 } ?? true, .keepSize,
      why: "nothing would be kept", remedy: "it may be 1M or more")
    try require(
      (0...1 << 40).contains(diskReserve), .diskReserve,
      why: "out of range", remedy: "it may be 0, which turns it off, to 1T")
    try require(
      syncEvery >= .milliseconds(250) && syncEvery <= .seconds(60), .syncEvery,
      why: "out of range", remedy: "it may be 250ms to 60s")
    try require(
      recordQueue >= .seconds(1) && recordQueue <= .seconds(120), .recordQueue,
      why: "out of range", remedy: "it may be 1s to 2m")
  }
}
