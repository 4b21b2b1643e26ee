public import Capture
public import Recording

/// Why a broadcast could not start or had to end.
public enum BroadcastError: Error, Sendable {
  case capture(CaptureError)
  case recording(RecordingError)
  /// No encoder works, or it stopped working.
  case encoding(String)
  /// The system refused a thread or a descriptor.
  case system(String)
}
