internal import Glibc
internal import HoldfastMediaModel

extension CaptureError {
  /// Why the PCM `name` can't be opened, with what to do about it; `available` are the PCMs that there are.
  init(opening name: String, _ error: PCMError, available: [String]) {
    let kind = Self.kind(ofOpeningCode: error.code)
    let hint =
      switch kind {
      case .notFound where error.code == ECONNREFUSED:
        "see that its sound server runs"
      case .notFound where available.isEmpty:
        "there is no microphone at all; --audio tone gives a test tone"
      case .notFound:
        "there is " + available.joined(separator: ", ")
      case .busy:
        "close the program that uses it, or use default if a sound server shares it"
      case .lost:
        "plug it in again, or see that its sound server runs"
      case .unsuitable where name.hasPrefix("hw:"):
        "plug\(name) may convert what it gives"
      case .unsuitable:
        "try another one"
      case .notPermitted:
        "your user has to be in the group audio"
      }
    let what =
      switch kind {
      case .notFound where error.code != ECONNREFUSED: "there is no such microphone"
      case .busy: "another program is using it"
      case .notPermitted: "it may not be opened"
      case .notFound, .lost, .unsuitable: error.description
      }
    self.init(kind, .audio, device: name, what: what, hint: hint)
  }

  static func kind(ofOpeningCode code: Int32) -> Kind {
    switch code {
    case ENOENT, ENODEV, ENXIO, ECONNREFUSED: .notFound
    case EBUSY, EAGAIN: .busy
    case EACCES, EPERM: .notPermitted
    case EIO, EPIPE, ETIMEDOUT: .lost
    default: .unsuitable
    }
  }
}
