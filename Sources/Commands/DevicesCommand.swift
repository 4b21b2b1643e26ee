import HoldfastCapture
import HoldfastMediaModel
import HoldfastPlatform

/// `holdfast devices [--json] [--watch]`
struct DevicesCommand: Command {
  static let name = "devices"
  static let summary = "list cameras and microphones"
  static let help = """
    Usage: holdfast devices [--json] [--watch]

    Lists the cameras with what they can give, and the microphones. In brackets
    stands what a device is found by again under another number.

    \(HelpText.table([
      ("--json", "as JSON, for programs"),
      ("--watch", "then tell what comes and goes, until Ctrl-C"),
      ("--help", "show this help"),
    ]))
    """

  let asJSON: Bool
  let isWatching: Bool

  private static let options = ["--json", "--watch"]

  init(_ arguments: [String], environment: [String: String]) throws(Refusal) {
    for argument in arguments where !Self.options.contains(argument) {
      throw Refusal(
        .usage, unknown: shown(argument), name: argument, kind: "option", among: Self.options + ["--help"],
        see: "holdfast help devices")
    }
    for option in Self.options where arguments.filter({ $0 == option }).count > 1 {
      throw Refusal(.usage, option, "given twice", "keep one of them")
    }
    asJSON = arguments.contains("--json")
    isWatching = arguments.contains("--watch")
  }

  func run() throws(Refusal) -> Int32 {
    do {
      let watch = isWatching ? try DeviceWatch(asJSON: asJSON) : nil
      let devices = DeviceList.connected()
      printOutput(asJSON ? devices.json : devices.table)
      try watch?.runUntilSignal()
      return ExitStatus.success.rawValue
    } catch {
      throw Refusal(.system, "devices", "\(error)", "leave out --watch")
    }
  }
}

/// Prints device changes from its creation on.
private struct DeviceWatch: ~Copyable {
  private let asJSON: Bool
  private let signals: Signals
  private let watcher: DeviceWatcher

  init(asJSON: Bool) throws(SystemError) {
    let signals = try Signals([Signals.interrupt, Signals.terminate])
    watcher = try DeviceWatcher()
    self.signals = signals
    self.asJSON = asJSON
  }

  func runUntilSignal() throws(SystemError) {
    let stop = try Wakeup()
    let thread = ThreadSlot()
    try thread.start(name: "signals") { [signals] in
      _ = try? signals.next(until: stop)
      stop.signal()
    }
    defer {
      stop.signal()
      thread.join()
    }
    try watcher.run(until: stop) { change in
      printOutput(asJSON ? change.json : change.line)
    }
  }
}

extension DeviceChange {
  /// `came  /dev/video0  [usb-1.2]`
  fileprivate var line: String {
    "\(word)  \(place)" + (identity.id.isEmpty ? "" : "  [\(identity.id)]")
  }

  fileprivate var json: String {
    let value: JSONValue = ["change": .text(word), "device": .text(place), "id": .text(identity.id)]
    return value.description
  }

  private var word: String {
    switch kind {
    case .added: "came"
    case .removed: "went"
    }
  }

  private var place: String {
    switch device {
    case .video(let path): path
    case .soundCard(let number): "hw:\(number)"
    }
  }
}
