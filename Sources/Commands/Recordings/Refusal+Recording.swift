import HoldfastPlatform
import HoldfastRecording

extension Refusal {
  /// Why the recording at `path` can't be used.
  init(_ error: any Error, of path: String) {
    switch error {
    case let error as RecordingFileError: self.init(error)
    case let error as SystemError where error.isLink: self.init(RecordingFileError(reading: path, error))
    case let error as SystemError where error.isNotFound || error.isWrongKind:
      self.init(.notFound, path, "\(error)", "check the name")
    case let error as SystemError where error.isOutOfSpace:
      self.init(.disk, path, "\(error)", "free some space, or choose another --output")
    case let error as SystemError where error.isOfDisk:
      self.init(.disk, path, "\(error)", "check the disk, or choose another --output")
    case let error as SystemError: self.init(.system, path, "\(error)", "check its permissions")
    default: self.init(.damaged, path, "\(error)", "run holdfast help repair")
    }
  }

  init(_ error: RecordingFileError) {
    let status: ExitStatus =
      switch error.kind {
      case .notFound: .notFound
      case .unusable: .damaged
      case .misuse: .usage
      case .disk: .disk
      case .cancelled, .system: .system
      }
    self.init(status, error.what, error.reason, error.hint)
  }
}
