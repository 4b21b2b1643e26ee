/// A command of the program: `holdfast NAME …`.
protocol Command: Sendable {
  static var name: String { get }
  /// One line for the list of commands.
  static var summary: String { get }
  /// The output of `holdfast help NAME`.
  static var help: String { get }
  /// Runs for long, so that its lines need their times.
  static var hasLog: Bool { get }

  init(_ arguments: [String], environment: [String: String]) throws(Refusal)
  /// Returns the exit status.
  func run() throws(Refusal) -> Int32
}

extension Command {
  static var hasLog: Bool { false }
}

enum Commands {
  static let all: [any Command.Type] = [
    PublishCommand.self, CtlCommand.self, SessionCommand.self, TokenCommand.self, CheckCommand.self,
    VerifyCommand.self, RepairCommand.self, HubCommand.self, ProgrammeCommand.self, ExportCommand.self,
    ServeCommand.self, DevicesCommand.self, DemoCommand.self, HelpCommand.self,
  ]

  static func named(_ name: String) throws(Refusal) -> any Command.Type {
    if let command = all.first(where: { $0.name == name }) { return command }
    throw Refusal(
      .usage, unknown: shown(name), name: name, kind: "command", among: all.map { $0.name },
      see: "holdfast --help")
  }
}
