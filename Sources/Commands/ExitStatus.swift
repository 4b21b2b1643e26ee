/// What the shell is told at the end.
public enum ExitStatus: Int32, Hashable, Sendable, CaseIterable {
  case endedAsAsked = 0
  case usage = 64
  case notFound = 66
  case system = 71
  case disk = 74
  case configuration = 78

  var meaning: String {
    switch self {
    case .endedAsAsked: "ended as asked"
    case .usage: "wrong use of the command line"
    case .notFound: "no such device or file"
    case .system: "the operating system refused something"
    case .disk: "disk full or failing"
    case .configuration: "wrong configuration file or environment"
    }
  }
}
