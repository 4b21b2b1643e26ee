import HoldfastPlatform

/// `holdfast help [COMMAND]`
struct HelpCommand: Command {
  static let name = "help"
  static let summary = "say how a command is used"
  static let help = """
    Usage: holdfast help [COMMAND]

    Says what the program does, or how COMMAND is used.
    """

  let text: String

  init(_ arguments: [String], environment: [String: String]) throws(Refusal) {
    if let extra = arguments.dropFirst().first {
      throw Refusal(.usage, shown(extra), "one command at a time", "leave it out")
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

    Broadcasts from Linux boxes that nobody sits at: captures a camera and a
    microphone, encodes once, publishes to RTMP, RTSP and SRT servers and records.

    Commands:
    \(HelpText.table(Commands.all.map { ($0.name, $0.summary) }))

    Options:
    \(HelpText.table([("--help", "show this help"), ("--version", "show the version")]))

    \(HelpText.exitStatuses)

    See holdfast help COMMAND for what a command takes.
    """
  }
}

/// Help formatting, at most 80 columns wide.
enum HelpText {
  static let columns = 80

  /// Terms on the left, meanings on the right; a long term has a line to itself.
  static func table(_ rows: [(term: String, meaning: String)]) -> String {
    let widest = rows.map(\.term.count).max() ?? 0
    let indent = min(widest, 24) + 4
    return rows.map { term, meaning in
      let lines = wrapped(meaning, columns: columns - indent)
      let gap = String(repeating: " ", count: max(0, indent - term.count - 2))
      let first = gap.isEmpty ? ["  \(term)"] : ["  \(term)\(gap)\(lines.first ?? "")"]
      let rest = gap.isEmpty ? lines[...] : lines.dropFirst()
      return (first + rest.map { String(repeating: " ", count: indent) + $0 }).joined(separator: "\n")
    }.joined(separator: "\n")
  }

  static var exitStatuses: String {
    "Exit status:\n" + table(ExitStatus.allCases.map { (String($0.rawValue), $0.meaning) })
  }

  static func wrapped(_ text: String, columns: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= columns {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
