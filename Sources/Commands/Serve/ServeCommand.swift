import HoldfastMediaServer
import HoldfastPlatform

/// `holdfast serve [OPTION]...`
struct ServeCommand: Command {
  static let name = "serve"
  static let summary = "run a small RTMP server for demos and tests"
  static let help = """
    Usage: holdfast serve [OPTION]...

    Runs an RTMP server that takes publishes, writes them to FLV files and plays
    them to others, until it is stopped (SIGINT, SIGTERM). What a publisher says
    decides over the file: record begins DIR/NAME.flv anew, append continues it,
    live writes none. It is made for demos and tests and is no production server:
    whoever can reach the port may play, and without --key may publish, too.

    \(HelpText.table(ServeOption.all().map { ("\($0.flag) \($0.placeholder)", $0.help) }
      + [("--help", "show this help")]))

      A key is shown as rtmp://HOST:PORT/live/NAME?key=KEY. With @FILE each line of
      the file is one, and env:NAME takes it from the environment: what stands in
      the command itself can be seen by everybody on this machine.

    Examples:
      holdfast serve
          then publish to rtmp://127.0.0.1/live/NAME and play the same address
      holdfast serve --host 0.0.0.0 --port 1936 --dir off --key @keys.txt

    \(HelpText.exitStatuses)
    """

  let configuration: MediaServer.Configuration

  init(_ arguments: [String], environment: [String: String]) throws(Refusal) {
    configuration = try ServeOption.read(arguments, environment: environment)
  }

  func run() throws(Refusal) -> Int32 {
    do {
      // Before any other thread, so that none of them gets the signals.
      let signals = try Signals([Signals.interrupt, Signals.terminate])
      let console = ServeConsole(configuration)
      let server = try MediaServer(configuration, observe: console.show)
      try start(server)
      defer { server.stop() }
      _ = try signals.next(until: Wakeup())
      return ExitStatus.success.rawValue
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      throw .system("serve", "\(error)")
    }
  }

  private func start(_ server: MediaServer) throws(Refusal) {
    do throws(MediaServer.StartError) {
      try server.start()
    } catch {
      switch error {
      case .port(let error):
        throw Refusal(.system, "serve", error.what, error.hint ?? "choose another --host or --port")
      case .directory(let path, let error):
        throw Refusal(
          .disk, "--dir \(shown(path))", error.reason, "name a folder that can be written, or off")
      case .system(let error):
        throw .system("serve", "\(error)")
      }
    }
  }
}
