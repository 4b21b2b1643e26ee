internal import Platform

/// `holdfast devices [--json]`
struct DevicesCommand: Command {
  static let name = "devices"
  static let summary = "list cameras and microphones"
  static let help = """
    Usage: holdfast devices [--json]

    Lists the cameras with what they can give, and the microphones.

    \(HelpText.table([("--json", "as JSON, for programs"), ("--help", "show this help")]))
    """

  let asJSON: Bool

  init(_ arguments: [String], environment: [String: String]) throws(Refusal) {
    for argument in arguments where argument != "--json" {
      throw Refusal(
        .usage, unknown: shown(argument), name: argument, kind: "option", among: ["--json", "--help"],
        see: "holdfast help devices")
    }
    asJSON = !arguments.isEmpty
    guard arguments.count <= 1 else {
      throw Refusal(.usage, "--json", "given twice", "keep one of them")
    }
  }

  func run() throws(Refusal) -> Int32 {
    let devices = try listDevices()
    printOutput(asJSON ? devices.json : devices.table)
    return ExitStatus.endedAsAsked.rawValue
  }
}

/// Looks at what is plugged in. The real listing is joined here.
func listDevices() throws(Refusal) -> ListedDevices {
  ListedDevices(cameras: [], microphones: [])
}
