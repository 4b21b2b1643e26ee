package import HoldfastCapture
package import HoldfastRecording

/// Why a broadcast could not start or had to end.
package enum BroadcastError: Error, Sendable {
  case capture(CaptureError)
  case recording(RecordingError)
  /// No encoder works, or it stopped working.
  case encoding(String)
  /// Every output has been refused, and there is no recording.
  case refused([String])
  /// Every output has been tried for as long as was asked for, and there is no recording.
  case gaveUp([String])
  /// The gate did not let it go live.
  case gate(GateError)
  /// The system refused a thread or a descriptor.
  case system(String)
}
