import HoldfastHub
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSQLiteStore
import HoldfastService

/// `holdfast hub [OPTION]...`
struct HubCommand: Command {
  static let name = "hub"
  static let hasLog = true
  static let summary = "serve sessions of several boxes and people"
  static let help = """
    Usage: holdfast hub [OPTION]...
           holdfast hub --backup FILE [--store FILE]

    Serves sessions, which boxes join with holdfast publish --session and people
    steer with holdfast session, until stopped (SIGINT, SIGTERM). Alone it needs
    nothing: sessions live in an SQLite file, members publish to a media server
    inside the hub, and without a secret only this user of this machine is served.
    For other machines give it --token-secret and a certificate; for several hubs,
    --store redis:// and a media server of its own.

    \(HelpText.table(HubSettings.options))

      A hub that is away costs no member a packet or a second of its recording.
      SIGHUP reads the certificate again.

    Examples:
      holdfast hub
      holdfast hub --listen 0.0.0.0:8787 --tls-cert hub.pem --tls-key hub.key \\
          --token-secret secret --public-url https://hub.example:8787
      holdfast hub --store redis://10.0.0.5 --token-secret secret \\
          --public-url https://hub.example \\
          --ingest 'rtmp://media.example/live/{session}.{member}?key={key}' \\
          --play 'rtmp://media.example/live/{session}.{member}'

    Exit status: 0 success, 64 incorrect usage, 66 no such secret or certificate,
    71 operating system error, 74 the store's disk is full or failing, 77 the secret
    or the store's file is another user's or unsafe, 78 another hub has the store,
    or it is a Redis server that can't hold sessions.
    """

  let settings: HubSettings
  private let environment: [String: String]

  init(_ words: [String], environment: [String: String]) throws(Refusal) {
    settings = try HubSettings(words, environment: environment)
    self.environment = environment
  }

  func run() throws(Refusal) -> Int32 {
    if let target = settings.backup { return try backup(to: target) }
    do {
      // Before any other thread, so that none of them gets the signals.
      let signals = try Signals([Signals.interrupt, Signals.terminate, Signals.hangUp])
      let terminal = Terminal(isLog: true)
      defer { terminal.finish() }
      let notifier = ServiceNotifier(environment: environment)
      let watchdog = ServiceWatchdog(environment: environment, notifier: notifier)
      for thread in HubServer.Thread.allCases { watchdog.expect(thread.part) }
      let hub = try RunningHub(
        settings, environment: environment, note: { terminal.print($0) },
        progressed: { watchdog.report($0.part) }
      )
      defer { hub.stop() }
      let watching = try StoppableThread(name: "watchdog") { isOver in
        watchdog.run(until: isOver) { terminal.print($0, .warning) }
      }
      defer { watching.stop() }
      try? notifier.notify(.ready)
      try handle(signals, hub, terminal)
      try? notifier.notify(.stopping)
      return ExitStatus.success.rawValue
    } catch {
      throw .system("hub", error)
    }
  }

  /// Until a signal stops the hub.
  private func handle(_ signals: Signals, _ hub: RunningHub, _ terminal: Terminal) throws(SystemError) {
    let (hangUp, never) = (HangUpPolicy(hasFile: true), try Wakeup())
    while let number = try signals.next(until: never), number == Signals.hangUp {
      switch hangUp.action(hasTerminal: hasControllingTerminal()) {
      case .stop: return
      case .reload: terminal.print(hub.reload())
      case .ignore, .nothingToReload: break
      }
    }
  }

  private func backup(to target: String) throws(Refusal) -> Int32 {
    let path = try RunningHub.file(of: settings, environment)
    try mapError(SQLiteStore.backup(from: path, to: target)) { (error: SQLiteStoreError) in
      Refusal(error, naming: "--backup \(shown(target))")
    }
    let terminal = Terminal(isLog: false)
    defer { terminal.finish() }
    terminal.print("copied \(shown(path)) to \(shown(target))")
    return ExitStatus.success.rawValue
  }
}

extension HubServer.Thread {
  fileprivate var part: ProgressWatch.Part {
    switch self {
    case .requests: .requests
    case .following: .following
    case .sweeping: .sweeping
    case .metering: .metering
    }
  }
}
