internal import Broadcasting
internal import MediaModel
internal import Platform

/// `holdfast demo`
struct DemoCommand: Command {
  static let name = "demo"
  static let summary = "record 10 seconds of what is there"
  static let help = """
    Usage: holdfast demo

    Records 10 seconds of the camera and the microphone, or of the test picture
    and the test tone where there are none, and says how to play them.
    """

  init(_ arguments: [String], environment: [String: String]) throws(Refusal) {
    guard let extra = arguments.first else { return }
    throw Refusal(.usage, shown(extra), "demo takes no options", "use holdfast publish, which takes many")
  }

  func run() throws(Refusal) -> Int32 {
    var configuration = Configuration()
    configuration.name = "demo"
    configuration.duration = .seconds(10)
    guard let report = try PublishCommand(configuration).publish() else {
      return ExitStatus.endedAsAsked.rawValue
    }
    guard let path = report.recordingPath else { return ExitStatus.endedAsAsked.rawValue }
    printOutput(
      """

      recording  \(path)
      length     \(report.duration)
      play it    ffplay \(path)   (or mpv, or VLC)
      """)
    return ExitStatus.endedAsAsked.rawValue
  }
}
