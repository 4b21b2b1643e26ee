import HoldfastMediaServer
import HoldfastPlatform

/// `holdfast serve [OPTION]...`
struct ServeCommand: Command {
  static let name = "serve"
  static let hasLog = true
  static let summary = "run a small RTMP server for demos and tests"
  static let help = """
    Usage: holdfast serve [OPTION]...

    Runs an RTMP or RTMPS server that accepts streams, writes them to FLV files and
    serves them to players, until stopped (SIGINT, SIGTERM). The publish type
    decides about the file: record begins DIR/NAME.flv anew and moves an earlier
    one to DIR/NAME-TIME.flv, append continues it, live writes none.
    The files of an application other than live are in DIR/APPLICATION.
    For demos and tests, not for production: anyone who can reach the port may play,
    and without --key also publish. Beyond this machine, files are written only with
    --key.

    \(HelpText.table(options))

      With --tls-cert only RTMPS is spoken, and SIGHUP reads the certificate and its
      key again, for new connections.

      Publishers pass a key as rtmp://HOST:PORT/live/NAME?key=KEY. @FILE reads one
      key per line, env:NAME reads one from the environment. Every user of this
      machine can see keys on the command line.

    Examples:
      holdfast serve
          then publish to rtmp://127.0.0.1/live/NAME and play the same address
      holdfast serve --host 0.0.0.0 --port 1936 --dir off --key @keys.txt
      holdfast serve --tls-cert server.pem --tls-key server.key
          then publish to rtmps://HOST:1935/live/NAME
      holdfast serve --port 0 --json
          for tests: the first line has the port and the URL

    \(HelpText.exitStatuses)
    """

  private static let defaults = MediaServer.Configuration()

  private static let options = [
    Flag("--json", help: "print each event as a line of JSON, the address first"),
    Flag("--port", "PORT", help: "port to listen on, 0 for any free one [1935]"),
    Flag("--host", "HOST", help: "address of this machine to listen on [\(defaults.host)]"),
    Flag("--dir", "DIR|off", help: "folder for the files [served]"),
    Flag("--key", "KEY|@FILE", isList: true, help: "require this key to publish; may be repeated"),
    Flag("--tls-cert", "FILE", help: "speak RTMPS with this certificate (and its chain), in PEM"),
    Flag("--tls-key", "FILE", help: "private key for --tls-cert, in PEM [the same file]"),
    Flag(
      "--max-connections", "N", help: "maximum number of publishers and players [\(defaults.maxConnections)]"
    ),
  ]

  let configuration: MediaServer.Configuration
  private let admission: MediaAdmission
  private let files: CertificateFiles?
  private let asJSON: Bool

  init(_ words: [String], environment: [String: String]) throws(Refusal) {
    let arguments = try Arguments(words, of: Self.name, options: Self.options)
    asJSON = try arguments.isOn("--json")
    var configuration = Self.defaults
    configuration.port = try arguments.value(of: "--port", .port) ?? 1935
    let host = ValueKind.text("HOST", what: "no address", hint: "write 0.0.0.0 for all addresses")
    configuration.host = try arguments.value(of: "--host", host) ?? configuration.host
    configuration.directory = try arguments.value(of: "--dir", .directoryOrOff) ?? "served"
    configuration.maxConnections =
      try arguments.value(of: "--max-connections", .count(of: "connections", in: 1...1000))
      ?? configuration.maxConnections
    let keys = try arguments.secrets(of: "--key", .keys(environment: environment))
    admission = keys.isEmpty ? .everyone : .keys(keys.reduce([]) { $0.union($1) })
    files = try CertificateFiles(
      certificate: arguments.value(of: "--tls-cert", .path), key: arguments.value(of: "--tls-key", .path))
    configuration.identity = try files?.read()
    guard !keys.isEmpty || configuration.directory == nil || Self.isLoopback(configuration.host) else {
      throw Refusal(
        .usage, "--host \(shown(configuration.host))", "anyone who reaches this address could write files",
        "add --key, or --dir off")
    }
    self.configuration = configuration
  }

  private static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || SocketAddress(literal: host, port: 0)?.isLoopback == true
  }

  func run() throws(Refusal) -> Int32 {
    do {
      // Before any other thread, so that none of them gets the signals.
      let signals = try Signals(
        [Signals.interrupt, Signals.terminate] + (files == nil ? [] : [Signals.hangUp]))
      let hangUp = HangUpPolicy(hasFile: files != nil)
      let console = try ServeConsole(configuration, asJSON: asJSON)
      defer { console.close() }
      let server = try MediaServer(configuration, admission: admission, observe: console.show)
      try start(server)
      defer { server.stop() }
      let never = try Wakeup()
      while let signal = try signals.next(until: never), signal == Signals.hangUp {
        let action = hangUp.action(hasTerminal: hasControllingTerminal())
        if action == .stop { break }
        if action == .reload { reloadCertificate(of: server, console) }
      }
      return ExitStatus.success.rawValue
    } catch {
      throw .system("serve", error)
    }
  }

  private func reloadCertificate(of server: MediaServer, _ console: ServeConsole) {
    do {
      if let identity = try files?.read() { _ = try server.renew(identity) }
    } catch {
      console.warn("\(error); the certificate in use stays")
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
        throw Refusal(.disk, "--dir \(shown(path))", error.reason, "choose a writable folder, or off")
      case .certificate(let error):
        throw Refusal(.notFound, "--tls-cert", error.what, error.hint ?? "choose another certificate")
      case .system(let error):
        throw .system("serve", error)
      }
    }
  }
}
