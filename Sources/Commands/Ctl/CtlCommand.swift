internal import Control
internal import MediaModel
internal import Platform

/// `holdfast ctl [--name NAME] status|start|… [--json]`
struct CtlCommand: Command {
  static let name = "ctl"
  static let summary = "ask a running broadcast, or tell it what to do"
  static let help = """
    Usage: holdfast ctl [OPTION]... COMMAND

    Asks a broadcast of this machine how it is, or tells it what to do, over the
    socket NAME.sock that only its user and root may open. It stands in
    $RUNTIME_DIRECTORY under systemd, else in $XDG_RUNTIME_DIR/holdfast, else in
    /tmp/holdfast-UID.

    \(HelpText.table(words.map { ($0.rawValue, $0.meaning) }))

    \(HelpText.table([
      ("--name NAME", "which broadcast, as publish has it; the only one that runs by default"),
      ("--json", "what the broadcast answers as it is, for programs"),
      ("--help", "show this help"),
    ]))

    Exit status: 0 answered or told, 64 wrong use, 69 no such broadcast runs, or it
    does not answer, 77 it refuses: not possible now, or another user's.
    """

  /// What follows `ctl`.
  enum Word: Hashable, Sendable {
    case status
    case command(ControlCommand)

    var rawValue: String {
      switch self {
      case .status: "status"
      case .command(let command): command.rawValue
      }
    }

    fileprivate var meaning: String {
      switch self {
      case .status: "how it is: state, tracks, outputs"
      case .command(.start): "go live, where it is previewing"
      case .command(.interrupt): "pause it; it can be resumed for a while"
      case .command(.resume): "go on in the same recording"
      case .command(.background): "end it for now: its recording is finished"
      case .command(.foreground): "come back from the background with a new broadcast"
      case .command(.end): "end the broadcast: back to the preview, where it came from one"
      case .command(.stop): "end it, and the program"
      }
    }
  }

  static let words = [Word.status] + ControlCommand.allCases.map(Word.command)
  private static let options = ["--name", "--json", "--help"]

  let word: Word
  let target: CtlTarget
  let asJSON: Bool

  init(_ arguments: [String], environment: [String: String]) throws(Refusal) {
    var words: [String] = []
    var name: String?
    var asJSON = false
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--json": asJSON = true
      case "--name":
        guard let next = rest.popFirst(), !next.hasPrefix("--") else {
          throw Refusal(.usage, argument, "its value is missing", "write --name NAME")
        }
        name = next
      case let option where option.hasPrefix("--name="): name = String(option.dropFirst("--name=".count))
      case let option where option.hasPrefix("-"):
        throw Refusal(
          .usage, unknown: shown(option), name: option, kind: "option", among: Self.options,
          see: "holdfast help ctl")
      default: words.append(argument)
      }
    }
    word = try Self.word(words)
    target = try CtlTarget(flag: name, environment: environment)
    self.asJSON = asJSON
  }

  private static func word(_ given: [String]) throws(Refusal) -> Word {
    let names = words.map(\.rawValue)
    guard let first = given.first else {
      throw Refusal(.usage, "ctl", "no command", "write one of \(names.joined(separator: ", "))")
    }
    if let extra = given.dropFirst().first {
      throw Refusal(.usage, shown(extra), "one command at a time", "leave it out")
    }
    guard let word = words.first(where: { $0.rawValue == first }) else {
      throw Refusal(
        .usage, unknown: "ctl \(shown(first))", name: first, kind: "command", among: names,
        see: "holdfast help ctl")
    }
    return word
  }

  func run() throws(Refusal) -> Int32 {
    let broadcast = try target.find()
    let answer = try ask(broadcast)
    if asJSON { printOutput(answer.text.trimmedEnd) }
    guard answer.isFine else { throw refusal(of: answer, by: broadcast.name) }
    if !asJSON { printOutput(text(of: answer, from: broadcast.name)) }
    return ExitStatus.endedAsAsked.rawValue
  }

  private func ask(_ broadcast: ControlPlace.Running) throws(Refusal) -> ControlAnswer {
    let client = ControlClient(path: broadcast.path)
    do throws(ControlClientError) {
      switch word {
      case .status: return try client.status()
      case .command(let command): return try client.send(command)
      }
    } catch {
      throw Refusal(error, asking: broadcast.name)
    }
  }

  /// For people.
  func text(of answer: ControlAnswer, from name: String) -> String {
    guard let json = answer.json else { return answer.text.trimmedEnd }
    switch word {
    case .status: return CtlStatusTable.text(for: json)
    case .command: return "\(name): \(json.field("state")?.text ?? "told")"
    }
  }

  func refusal(of answer: ControlAnswer, by name: String) -> Refusal {
    let status: ExitStatus = [403, 409].contains(answer.status) ? .refused : .gaveUp
    guard let error = answer.error else {
      return Refusal(
        status, name, "it answered with HTTP status \(answer.status)", "see whether its version is this one")
    }
    return Refusal(status, name, error.message, error.hint ?? "see holdfast ctl --name \(name) status")
  }
}

extension Refusal {
  init(_ error: ControlClientError, asking name: String) {
    switch error.kind {
    case .notRunning: self = CtlTarget.notRunning(name, running: [])
    case .notPermitted:
      self.init(.refused, name, "it belongs to another user", "ask as that user, or as root")
    case .noAnswer:
      self.init(.gaveUp, name, "it does not answer", "try again, or see what its process does")
    case .strangeAnswer:
      self.init(.gaveUp, name, shown(error.what), "it may be about to end: try again")
    case .system: self.init(.system, name, error.what, "see whether the machine is out of files")
    }
  }
}

extension String {
  /// Without line ends at its end.
  fileprivate var trimmedEnd: String {
    var rest = self[...]
    while rest.last?.isNewline == true { rest.removeLast() }
    return String(rest)
  }
}
