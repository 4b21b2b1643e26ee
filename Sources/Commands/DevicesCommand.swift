internal import Capture
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

  func run() -> Int32 {
    let devices = ListedDevices.thoseThere()
    printOutput(asJSON ? devices.json : devices.table)
    return ExitStatus.endedAsAsked.rawValue
  }
}

extension ListedDevices {
  /// What is plugged in. libv4l2's emulated formats are left out: they are not what the camera gives.
  fileprivate static func thoseThere() -> ListedDevices {
    ListedDevices(
      cameras: CameraDescription.all().map { camera in
        ListedCamera(
          path: camera.path, name: camera.name, id: DeviceIdentity.ofVideo(path: camera.path).id,
          modes: camera.modes.formats.filter { !$0.isEmulated }.map(\.summary))
      },
      microphones: MicrophoneDescription.all().map { microphone in
        ListedMicrophone(pcm: microphone.pcm, name: microphone.name, id: microphone.identity.id)
      })
  }
}
