public import Capture
public import Recording

/// Why a broadcast could not start or had to end.
public enum BroadcastError: Error, Sendable {
  case capture(CaptureError)
  case recording(RecordingError)
  /// No encoder works, or it stopped working.
  case encoding(String)
  /// The system refused a thread, a descriptor or a folder.
  case system(String)
}

extension BroadcastError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .capture(let error): "\(error)"
    case .recording(let error): "\(error); the recording is whole up to there"
    case .encoding(let what): "encoder: \(what); try another --encoder"
    case .system(let what): what
    }
  }
}
