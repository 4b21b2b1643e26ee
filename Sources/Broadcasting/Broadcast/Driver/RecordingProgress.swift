import HoldfastRecording

/// What the recorder has reported.
struct RecordingProgress {
  let isRequested: Bool
  /// Nil until its first fragment has been written.
  var path: String?
  var bytesByFile: [String: Int] = [:]
  var disk = DiskState.writing
  /// Unanswered flush requests to the recorder.
  var flushes = 0
  /// Why recording has stopped while the outputs continue.
  var failure: BroadcastError?

  var hasBegun: Bool { path != nil }
  var isActive: Bool { isRequested && failure == nil }
  var bytes: Int64 { Int64(bytesByFile.values.reduce(0, +)) }
}
