package enum ExitStatus: Int32, Hashable, Sendable, CaseIterable {
  case success = 0
  case usage = 64
  case damaged = 65
  case notFound = 66
  case gaveUp = 69
  case system = 71
  case disk = 74
  case refused = 77
  case configuration = 78

  package var meaning: String {
    switch self {
    case .success: "success"
    case .usage: "incorrect usage"
    case .damaged: "the recording is damaged, or has no usable content"
    case .notFound: "no such device or file"
    case .gaveUp: "gave up on the outputs"
    case .refused: "refused by the outputs: credentials, permissions, certificates"
    case .system: "operating system error"
    case .disk: "disk full or failing"
    case .configuration: "invalid configuration file or environment"
    }
  }
}
