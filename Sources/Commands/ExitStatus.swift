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

  var meaning: String {
    switch self {
    case .success: "ended as asked"
    case .usage: "wrong use of the command line"
    case .damaged: "the recording is damaged, or holds nothing usable"
    case .notFound: "no such device or file"
    case .gaveUp: "gave up on the outputs"
    case .refused: "the outputs refused: credentials, rights, certificates"
    case .system: "the operating system refused something"
    case .disk: "disk full or failing"
    case .configuration: "wrong configuration file or environment"
    }
  }
}
