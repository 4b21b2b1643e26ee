import HoldfastCommands
import HoldfastHTTP
import HoldfastMediaModel
import HoldfastOperations
import HoldfastPlatform
import HoldfastSessionClient

/// `holdfast programme https://HUB [OPTION]... [-- OPTION OF PUBLISH]...`
struct ProgrammeCommand: Command {
  static let name = "programme"
  static let hasLog = true
  static let summary = "compose and publish what the hosts of a hub's sessions put on air"
  static let help = """
    Usage: holdfast programme https://HUB [OPTION]... [-- OPTION OF PUBLISH]...

    Takes jobs of a hub until stopped (SIGINT, SIGTERM): for each session that its
    host puts on air, it starts a holdfast publish that composes the members on the
    stage and publishes them to the host's addresses. Several workers share a hub's
    jobs, and another one takes over when one is gone.

    \(HelpText.table(options))

    Examples:
      holdfast programme http://127.0.0.1:8787
      holdfast programme https://hub.example --token @worker-token --jobs 4 \\
          -- --size 1920x1080 --bitrate 6M --record /srv/recordings

    Exit status: 0 success, 64 incorrect usage, 66 no such token, 71 operating
    system error, 77 the token's file is open to all users.
    """

  static let options = [
    Flag("--token", "@FILE", help: "token of a worker: @FILE or env:NAME, read again for each request"),
    Flag("--jobs", "N", help: "maximum number of sessions on air at a time [2]"),
    Flag("--hub-ca", "FILE", help: "also trust the certificates in this PEM file"),
    Flag("--insecure-lan", help: "allow http to other machines: anyone on the way can read the token"),
  ]

  private let settings: ProgrammeChild.Settings
  private let maxJobs: Int

  init(_ words: [String], environment: [String: String]) throws(Refusal) {
    let own = words.prefix { $0 != "--" }
    let arguments = try Arguments(Array(own), of: Self.name, options: Self.options, operands: .accepted)
    guard arguments.operands.count == 1 else {
      throw Refusal(.usage, "programme", "not one hub", "write holdfast programme https://HUB")
    }
    let isInsecureLAN = try arguments.isOn("--insecure-lan")
    let hub = try valid(HTTPOrigin(arguments.operands[0], insecureLAN: isInsecureLAN), for: "programme")
    let token = try arguments.value(of: "--token", .secretReference("the token"))
    maxJobs = try arguments.value(of: "--jobs", .count(of: "jobs", in: 1...32)) ?? 2
    settings = ProgrammeChild.Settings(
      hub: hub, token: token, caFile: try arguments.value(of: "--hub-ca", .path),
      options: Array(words.dropFirst(own.count + 1)), environment: environment)
  }

  func run() throws(Refusal) -> Int32 {
    if let token = settings.token { try MembershipSecrets.checkFile(of: token, "--token") }
    _ = try secret()
    do throws(SystemError) {
      // Before any other thread, so that none of them gets the signals.
      let signals = try Signals([Signals.interrupt, Signals.terminate])
      let terminal = Terminal(isLog: true)
      defer { terminal.finish() }
      let worker = Worker(
        settings, maxJobs: maxJobs,
        token: { () throws(TokenUnavailable) in
          do throws(Refusal) { return try secret() } catch { throw TokenUnavailable("\(error)") }
        }
      ) { terminal.print($0) }
      let thread = try StoppableThread(name: "jobs") { worker.run(until: $0) }
      _ = try signals.next(until: Wakeup())
      thread.stop()
      return ExitStatus.success.rawValue
    } catch {
      throw .system("programme", error)
    }
  }

  private func secret() throws(Refusal) -> String? {
    guard let token = settings.token else { return nil }
    return try SecretReference(environment: settings.environment).find(
      token, subject: "--token", status: .usage, holding: "a token")
  }
}
