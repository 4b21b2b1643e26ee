import HoldfastBroadcasting
import HoldfastCCommit
import HoldfastCommands
import HoldfastMediaModel
import HoldfastPlatform

package enum Program {
  /// With the commit, where the build knew it.
  private static var version: String {
    let commit = String(cString: ccommit())
    return "holdfast \(Broadcaster.version)" + (commit.isEmpty ? "" : " (commit \(commit))")
  }

  /// `arguments` include the program's own name.
  package static func run(arguments: [String], environment: [String: String]) -> Int32 {
    reserveStandardDescriptors()
    surviveFailedWrites()
    do {
      return try run(Array(arguments.dropFirst()), environment: environment)
    } catch {
      let command = Commands.all.first { $0.name == arguments.dropFirst().first }
      let terminal = Terminal(isLog: command?.hasLog == true)
      terminal.print("holdfast: \(error)", .error)
      terminal.finish()
      return error.status.rawValue
    }
  }

  private static func run(_ arguments: [String], environment: [String: String]) throws(Refusal) -> Int32 {
    guard let first = arguments.first else {
      throw Refusal(.usage, "command", "missing", "run holdfast publish, or holdfast --help")
    }
    let rest = Array(arguments.dropFirst())
    switch first {
    case "--help":
      return try HelpCommand(rest, environment: environment).run()
    case "--version":
      if let extra = rest.first {
        throw Refusal(.usage, shown(extra), "--version takes no arguments", "leave it out")
      }
      printOutput(version)
      return ExitStatus.success.rawValue
    case let option where option.hasPrefix("-"):
      throw Refusal(
        .usage, unknown: shown(option), name: option, kind: "option", among: ["--help", "--version"],
        see: "holdfast --help")
    default:
      let command = try Commands.named(first)
      if rest.contains("--help") {
        printOutput(command.help)
        return ExitStatus.success.rawValue
      }
      return try command.init(rest, environment: environment).run()
    }
  }
}

enum Commands {
  static let all: [any Command.Type] =
    [PublishCommand.self, ProgrammeCommand.self, CheckCommand.self] + commandsWithoutBroadcaster
    + [DemoCommand.self, HelpCommand.self]

  static func named(_ name: String) throws(Refusal) -> any Command.Type {
    if let command = all.first(where: { $0.name == name }) { return command }
    throw Refusal(
      .usage, unknown: shown(name), name: name, kind: "command", among: all.map { $0.name },
      see: "holdfast --help")
  }
}
