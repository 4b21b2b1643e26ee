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

    \(HelpText.table(options))

      A key is shown as rtmp://HOST:PORT/live/NAME?key=KEY. With @FILE each line of
      the file is one, and env:NAME takes it from the environment: what stands in
      the command itself can be seen by everybody on this machine.

    Examples:
      holdfast serve
          then publish to rtmp://127.0.0.1/live/NAME and play the same address
      holdfast serve --host 0.0.0.0 --port 1936 --dir off --key @keys.txt

    \(HelpText.exitStatuses)
    """

  private static let defaults = MediaServer.Configuration()

  private static let options = [
    Flag("--port", "PORT", help: "port to listen on, 0 is a free one [1935]"),
    Flag("--host", "HOST", help: "address of this machine to listen on [\(defaults.host)]"),
    Flag("--dir", "DIR|off", help: "folder of the files [served]"),
    Flag(
      "--key", "KEY|@FILE", isList: true, help: "let only those publish who show this key; may be repeated"),
    Flag(
      "--max-connections", "N", help: "publishers and players at a time, at most [\(defaults.maxConnections)]"
    ),
  ]

  let configuration: MediaServer.Configuration

  init(_ words: [String], environment: [String: String]) throws(Refusal) {
    let arguments = try Arguments(words, of: Self.name, options: Self.options)
    var configuration = Self.defaults
    configuration.port = try arguments.value(of: "--port", .port) ?? 1935
    let host = ValueKind.text("HOST", what: "no address", hint: "write 0.0.0.0 for all")
    configuration.host = try arguments.value(of: "--host", host) ?? configuration.host
    configuration.directory = try arguments.value(of: "--dir", .directoryOrOff) ?? "served"
    configuration.maxConnections =
      try arguments.value(of: "--max-connections", .connectionCount) ?? configuration.maxConnections
    let keys = try arguments.secrets(of: "--key", .keys(environment: environment))
    if !keys.isEmpty { configuration.keys = keys.reduce([]) { $0.union($1) } }
    self.configuration = configuration
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
