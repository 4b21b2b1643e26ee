import HoldfastCommands
import HoldfastPlatform

/// `holdfast help [COMMAND]`
struct HelpCommand: Command {
  static let name = "help"
  static let summary = "show help for a command"
  static let help = """
    Usage: holdfast help [COMMAND]

    Shows an overview, or the help for COMMAND.
    """

  let text: String

  init(_ arguments: [String], environment: [String: String]) throws(Refusal) {
    if let extra = arguments.dropFirst().first {
      throw Refusal(.usage, shown(extra), "help takes one command", "leave it out")
    }
    text = if let name = arguments.first { try Commands.named(name).help } else { Self.overview }
  }

  func run() -> Int32 {
    printOutput(text)
    return ExitStatus.success.rawValue
  }

  static var overview: String {
    """
    Usage: holdfast COMMAND [OPTION]...

    Broadcasts from headless Linux boxes: captures a camera and a microphone,
    encodes once, publishes to RTMP, RTSP and SRT servers, and records.

    Commands:
    \(HelpText.table(Commands.all.map { ($0.name, $0.summary) }))

    Options:
    \(HelpText.table([("--help", "show this help"), ("--version", "show the version")]))

    \(HelpText.exitStatuses)

    See holdfast help COMMAND for the options of a command.
    """
  }
}
