import Glibc
import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPlatform

/// Translates errno values of cameras into readable errors.
enum CameraFailure {
  static func meansUnsupported(_ error: SystemError) -> Bool { error.code == EINVAL || error.code == ENOTTY }

  static func kind(whileOpening error: SystemError) -> CaptureError.Kind {
    switch error.code {
    case ENOENT, ENXIO, ENOTDIR: .notFound
    case EBUSY, ENOSPC: .busy
    case EACCES, EPERM: .notPermitted
    case EINVAL, ENOTTY, EISDIR, ENOTSUP: .unsuitable
    default: .lost
    }
  }

  /// A failure before the first picture; `others` are the present cameras.
  static func opening(
    _ path: String, _ error: SystemError,
    others: () -> [(path: String, name: String)] = CameraDescription.names
  ) -> CaptureError {
    let kind = kind(whileOpening: error)
    let (what, hint) =
      switch kind {
      case .notFound: ("there is no such camera", whatThereIs(others()))
      case .busy where error.code == ENOSPC:
        ("the USB bus has no bandwidth left", "choose a smaller size, or unplug another camera")
      case .busy: ("another program is using it", "close the other program")
      case .notPermitted: ("permission denied", "add the user to the group video")
      case .unsuitable: ("it is not a camera (\(error))", whatThereIs(others()))
      case .lost: ("it does not respond (\(error))", "unplug it and plug it in again")
      }
    return CaptureError(kind, .video, device: path, what: what, hint: hint)
  }

  static func starting(
    _ path: String, _ error: SystemError,
    others: () -> [(path: String, name: String)] = CameraDescription.names
  ) -> CaptureError {
    switch kind(whileOpening: error) {
    case .unsuitable:
      unsuitable(path, "it does not start (\(error))", hint: "choose another size or rate, or another camera")
    case .notFound, .busy, .lost, .notPermitted: opening(path, error, others: others)
    }
  }

  static func whatThereIs(_ cameras: [(path: String, name: String)]) -> String {
    cameras.isEmpty
      ? "no camera found; plug one in, or choose the test picture"
      : "available: " + cameras.map { "\($0.path) (\($0.name))" }.joined(separator: ", ")
  }

  static func unsuitable(_ path: String, _ what: String, hint: String) -> CaptureError {
    CaptureError(.unsuitable, .video, device: path, what: what, hint: hint)
  }

  static func lost(_ path: String, _ what: String) -> CaptureError {
    CaptureError(.lost, .video, device: path, what: what, hint: "check its cable")
  }
}
