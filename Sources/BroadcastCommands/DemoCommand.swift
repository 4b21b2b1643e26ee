import HoldfastBroadcasting
import HoldfastCommands
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastMediaServer
import HoldfastPlatform
import HoldfastPublishing

/// `holdfast demo`
struct DemoCommand: Command {
  static let name = "demo"
  static let hasLog = true
  static let summary = "publish 10 seconds to a built-in server, and record them"
  static let help = """
    Usage: holdfast demo

    Starts a server on this machine, then publishes and records 10 seconds of the
    camera and the microphone, or of the test picture and the test tone if there are
    none, with an interruption of two seconds. Prints how to play the results.
    """

  private let environment: [String: String]

  init(_ words: [String], environment: [String: String]) throws(Refusal) {
    self.environment = environment
    _ = try Arguments<Flag>(words, of: Self.name, options: [])
  }

  func run() throws(Refusal) -> Int32 {
    var configuration = Configuration()
    configuration.name = Self.streamName
    configuration.session.duration = .seconds(10)
    configuration.useTestSignalsForMissingDevices()
    let signals = try PublishCommand.signals()
    let arrived = Locked<[StreamReport]>([])
    let server = try Self.startServer(in: configuration.recording.directory) { event in
      if case .ended(let report, _) = event { arrived.withLock { $0.append(report) } }
    }
    defer { server.stop() }
    let address = "rtmp://\(server.address)/live/\(Self.streamName)"
    do {
      configuration.outputs.requests = [OutputRequest(address: try OutputAddress(address))]
    } catch {
      throw Refusal(.system, address, "\(error)", "this should not happen: please report it")
    }
    let reports = try PublishCommand(configuration, environment: environment, keepsJournal: false)
      .publish(controlledBy: signals, meanwhile: Self.interrupt)
    guard let report = reports.first else { return ExitStatus.success.rawValue }
    server.stop()
    if let path = report.recordingPath {
      printOutput(
        """

        recording  \(path)
        length     \(report.duration)
        play it    ffplay \(path)   (or mpv, or VLC)
        """)
    }
    for report in arrived.withLock({ $0 }) {
      printOutput("server     \(report.type.rawValue): \(report), in \(report.path ?? "no file")")
    }
    return ExitStatus.success.rawValue
  }

  private static let streamName = "demo"

  private static let interrupt: @Sendable (Broadcaster, Wakeup) -> Void = { broadcaster, isOver in
    guard !isOver.wait(until: .now + .seconds(5)) else { return }
    broadcaster.handle(.command(.interrupt))
    _ = isOver.wait(until: .now + .seconds(2))
    broadcaster.handle(.command(.resume))
  }

  /// Without `directory` the server writes no file.
  private static func startServer(
    in directory: String?, observe: @escaping @Sendable (MediaServer.Event) -> Void
  ) throws(Refusal) -> MediaServer {
    do {
      var configuration = MediaServer.Configuration()
      configuration.directory = directory
      let server = try MediaServer(configuration, observe: observe)
      try server.start()
      return server
    } catch {
      throw Refusal(
        .system, "demo", "can't start the server: \(error)", "check what else is running on this machine")
    }
  }
}
