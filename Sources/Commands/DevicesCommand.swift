import HoldfastCapture
import HoldfastMediaModel
import HoldfastPlatform

/// `holdfast devices [--json] [--watch]`
struct DevicesCommand: Command {
  static let name = "devices"
  static let summary = "list cameras, microphones and the screen"
  static let help = """
    Usage: holdfast devices [--json] [--watch]

    Lists the cameras with their modes, the microphones, and the X screen of
    $DISPLAY. The identity in brackets stays the same when device numbers change.

    \(HelpText.table(options))
    """

  private static let options = [
    Flag("--json", help: "print JSON"),
    Flag("--watch", help: "then report device changes until Ctrl-C"),
  ]

  let asJSON: Bool
  let isWatching: Bool

  init(_ words: [String], environment: [String: String]) throws(Refusal) {
    let arguments = try Arguments(words, of: Self.name, options: Self.options)
    asJSON = try arguments.isOn("--json")
    isWatching = try arguments.isOn("--watch")
  }

  func run() throws(Refusal) -> Int32 {
    if isWatching {
      do throws(SystemError) { try listAndWatch() } catch {
        throw Refusal(.system, "devices", "\(error)", "leave out --watch")
      }
    } else {
      list()
    }
    return ExitStatus.success.rawValue
  }

  private func list() {
    let devices = DeviceList.connected()
    printOutput(asJSON ? devices.json : devices.table)
  }

  /// Prints device changes from before the list on, until a signal.
  private func listAndWatch() throws(SystemError) {
    let signals = try Signals([Signals.interrupt, Signals.terminate])
    let watcher = try DeviceWatcher()
    list()
    let stop = try Wakeup()
    let thread = try StoppableThread(name: "signals") { isOver in
      _ = try? signals.next(until: isOver)
      stop.signal()
    }
    defer { thread.stop() }
    try watcher.run(until: stop) { change in printOutput(asJSON ? change.json.description : change.line) }
  }
}

extension DeviceChange {
  /// `came  /dev/video0  [usb-1.2]`
  fileprivate var line: String { "\(word)  \(name)" + (identity.id.isEmpty ? "" : "  [\(identity.id)]") }

  fileprivate var json: JSONValue {
    ["change": .text(word), "device": .text(name), "id": .text(identity.id)]
  }

  private var word: String {
    switch kind {
    case .added: "came"
    case .removed: "went"
    }
  }

  private var name: String {
    switch device {
    case .video(let path): path
    case .soundCard(let number): "hw:\(number)"
    }
  }
}
