/// A command of the program: `holdfast NAME …`.
package protocol Command: Sendable {
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
  package static var hasLog: Bool { false }
}

package let commandsWithoutBroadcaster: [any Command.Type] = [
  CtlCommand.self, SessionCommand.self, TokenCommand.self, HubCommand.self, ServeCommand.self,
  VerifyCommand.self, RepairCommand.self, ExportCommand.self, DevicesCommand.self,
]
