import HoldfastControl
import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform

/// `holdfast ctl [--name NAME] status|start|… [--json] [--watch]`
struct CtlCommand: Command {
  static let name = "ctl"
  static let summary = "query or control a running broadcast"
  static let help = """
    Usage: holdfast ctl [OPTION]... COMMAND [VALUE]...

    Queries or controls a broadcast on this machine through its socket NAME.sock,
    which only its user and root can open. The socket is in $RUNTIME_DIRECTORY under
    systemd, else in $XDG_RUNTIME_DIR/holdfast or /run/user/UID/holdfast, else in
    .sockets in the state folder. Root uses another user's socket only in a folder
    that nobody else can have placed, such as /run/holdfast.

    \(HelpText.table(CtlWord.all.map { ($0.arguments.isEmpty ? $0.name : "\($0.name) \($0.arguments)", $0.meaning) }))

    \(HelpText.table(options))

    Exit status: 0 success, 64 incorrect usage, 69 no such broadcast is running, or
    it does not respond, 71 operating system error, 74 can't save the picture,
    77 refused: not possible now, or the broadcast belongs to another user,
    78 the configuration can't be reloaded.
    """

  private static let options = [
    Flag("--name", "NAME", help: "name of the broadcast (publish --name); the only running one by default"),
    Flag("--json", help: "print the response as JSON"),
    Flag("--watch", help: "with status: refresh every second until Ctrl-C"),
  ]

  let word: CtlWord
  let action: CtlWord.Action
  let target: CtlTarget
  let asJSON: Bool
  private let isWatching: Bool

  init(_ words: [String], environment: [String: String]) throws(Refusal) {
    // After the command a value may begin with a dash: `-` is standard output.
    let arguments = try Arguments(words, of: Self.name, options: Self.options, operands: .dashed)
    word = try Self.word(arguments.operands.first)
    action = try word.action(Array(arguments.operands.dropFirst()))
    target = try CtlTarget(flag: try arguments.value(of: "--name", .name), environment: environment)
    asJSON = try arguments.isOn("--json")
    isWatching = try arguments.isOn("--watch")
    if isWatching, action != .send(.status) {
      throw Refusal(.usage, "--watch", "not available with ctl \(word.name)", "use it with ctl status")
    }
  }

  private static func word(_ first: String?) throws(Refusal) -> CtlWord {
    let names = CtlWord.all.map(\.name)
    guard let first else {
      throw Refusal(.usage, "ctl", "no command", "use one of \(names.joined(separator: ", "))")
    }
    guard let word = CtlWord.all.first(where: { $0.name == first }) else {
      throw Refusal(
        .usage, unknown: "ctl \(shown(first))", name: first, kind: "command", among: names,
        see: "holdfast help ctl")
    }
    return word
  }

  func run() throws(Refusal) -> Int32 {
    let broadcast = try target.find()
    switch action {
    case .send(let request):
      if isWatching { return try follow(broadcast, isStatus: true) }
      try show(try send(request, of: broadcast), of: broadcast)
    case .follow: return try follow(broadcast, isStatus: false)
    case .savePicture(let file): try savePicture(to: file, of: broadcast)
    case .check(let measuresUpload): return try check(broadcast, measuringUpload: measuresUpload)
    }
    return ExitStatus.success.rawValue
  }

  func send(_ request: HTTPRequest, of broadcast: ControlSockets.Running) throws(Refusal) -> HTTPResponse {
    try mapError(ControlClient(path: broadcast.path).send(request)) { (error: HTTPClientError) in
      Refusal(error, from: broadcast.name)
    }
  }

  private func show(_ response: HTTPResponse, of broadcast: ControlSockets.Running) throws(Refusal) {
    if asJSON { printOutput(response.text.trimmedEnd) }
    try requireSuccess(response, of: broadcast)
    if !asJSON { printOutput(text(of: response, from: broadcast.name)) }
  }

  func requireSuccess(_ response: HTTPResponse, of broadcast: ControlSockets.Running) throws(Refusal) {
    if !response.isSuccess { throw refusal(of: response, by: broadcast.name) }
  }

  func text(of response: HTTPResponse, from name: String) -> String {
    guard let json = response.json, case .object(let fields) = json else { return response.text.trimmedEnd }
    guard json.field("ok") != nil else { return CtlStatusTable.text(for: json) }
    if let text = (json.field("state") ?? json.field("result"))?.text { return "\(name): \(text)" }
    let rest = fields.filter { $0.key != "ok" }
    return rest.isEmpty ? "\(name): done" : CtlStatusTable.text(for: .object(rest))
  }

  func refusal(of response: HTTPResponse, by name: String) -> Refusal {
    let status: ExitStatus =
      switch response.status {
      case 422 where response.error?.code == "notReloaded": .configuration
      case 400, 422: .usage
      case 403, 409: .refused
      default: .gaveUp
      }
    guard let error = response.error else {
      return Refusal(
        status, name, "unexpected HTTP status \(response.status)", "check that it runs this version")
    }
    return Refusal(status, name, error.message, error.hint ?? "run holdfast ctl --name \(name) status")
  }
}

extension Refusal {
  init(_ error: HTTPClientError, from name: String) {
    switch error.kind {
    case .cannotConnect: self = CtlTarget.notRunning(name, running: [])
    case .notPermitted:
      self.init(.refused, name, "the broadcast belongs to another user", "run ctl as that user or as root")
    case .timedOut:
      self.init(.gaveUp, name, "the broadcast does not respond", "try again, or check its process")
    case .invalidResponse:
      self.init(.gaveUp, name, shown(error.what), "it may be shutting down: try again")
    case .tls, .stopped, .invalidRequest, .system:
      self.init(.system, name, error.what, "check whether the machine is out of files")
    }
  }
}

extension String {
  fileprivate var trimmedEnd: String { String(reversed().drop(while: \.isNewline).reversed()) }
}
