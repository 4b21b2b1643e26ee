import HoldfastHTTP
import HoldfastMediaModel
import HoldfastMembership
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

  private static let lookInterval = MediaTime.milliseconds(500)

  private let origin: HTTPOrigin
  private let token: String?
  private let maxJobs: Int
  private let caFile: String?
  private let isInsecureLAN: Bool
  private let publishOptions: [String]
  private let environment: [String: String]

  init(_ words: [String], environment: [String: String]) throws(Refusal) {
    let own = words.prefix { $0 != "--" }
    publishOptions = Array(words.dropFirst(own.count + 1))
    let arguments = try Arguments(Array(own), of: Self.name, options: Self.options, operands: .accepted)
    guard arguments.operands.count == 1 else {
      throw Refusal(.usage, "programme", "not one hub", "write holdfast programme https://HUB")
    }
    isInsecureLAN = try arguments.isOn("--insecure-lan")
    origin = try valid(HTTPOrigin(arguments.operands[0], insecureLAN: isInsecureLAN), for: "programme")
    token = try arguments.value(of: "--token", .secretReference("the token"))
    maxJobs = try arguments.value(of: "--jobs", .count(of: "jobs", in: 1...32)) ?? 2
    caFile = try arguments.value(of: "--hub-ca", .path)
    self.environment = environment
  }

  func run() throws(Refusal) -> Int32 {
    if let token { try MembershipSecrets.checkFile(of: token, "--token") }
    _ = try secret()
    do throws(SystemError) {
      // Before any other thread, so that none of them gets the signals.
      let signals = try Signals([Signals.interrupt, Signals.terminate])
      let terminal = Terminal(isLog: true)
      defer { terminal.finish() }
      let note: @Sendable (String) -> Void = { terminal.print($0) }
      let worker = try StoppableThread(name: "jobs") { stop in takeJobs(until: stop, note: note) }
      _ = try signals.next(until: Wakeup())
      worker.stop()
      return ExitStatus.success.rawValue
    } catch {
      throw .system("programme", error)
    }
  }

  private func secret() throws(Refusal) -> String? {
    guard let token else { return nil }
    return try SecretReference(environment: environment).find(
      token, subject: "--token", status: .usage, holding: "a token")
  }

  private var place: WorkerHub.Place {
    WorkerHub.Place(origin, tls: TLSSettings(caFile: caFile)) { () throws(TokenUnavailable) in
      do throws(Refusal) { return try secret() } catch { throw TokenUnavailable("\(error)") }
    }
  }

  private func settings(of session: String) -> ProgrammeChild.Settings {
    ProgrammeChild.Settings(
      session: "\(origin)/\(session.percentEncoded)", token: token, caFile: caFile,
      isInsecureLAN: isInsecureLAN, options: publishOptions, environment: environment)
  }

  /// Looks for jobs twice a second; each that there is room for has a thread of its own.
  private func takeJobs(until stop: Wakeup, note: @escaping @Sendable (String) -> Void) {
    let worker = hexadecimal(randomBytes(8))
    var hub = WorkerHub(place, worker: worker, stop: stop)
    let running = Locked<Set<String>>([])
    var threads: [String: ThreadSlot] = [:]
    var problem: HubFailure?
    while !stop.wait(until: .now + Self.lookInterval) {
      let current = running.withLock { $0 }
      for id in threads.keys where !current.contains(id) { threads.removeValue(forKey: id)?.join() }
      guard threads.count < maxJobs else { continue }
      do throws(HubFailure) {
        let waiting = try hub.waitingJobs()
        if problem != nil { note("the hub answers again") }
        problem = nil
        for job in waiting.prefix(maxJobs - threads.count) where threads[job.id] == nil {
          running.withLock { _ = $0.insert(job.id) }
          threads[job.id] = start(job, worker: worker, until: stop, note: note) {
            running.withLock { _ = $0.remove(job.id) }
          }
        }
      } catch {
        if problem == nil { note("no jobs: \(error.reason)") }
        problem = error
      }
    }
    for thread in threads.values { thread.join() }
  }

  private func start(
    _ job: WorkerHub.WaitingJob, worker: String, until stop: Wakeup,
    note: @escaping @Sendable (String) -> Void,
    ended: @escaping @Sendable () -> Void
  ) -> ThreadSlot {
    let (place, settings, thread) = (place, settings(of: job.session), ThreadSlot())
    do throws(SystemError) {
      // Nothing cuts its requests short: it keeps the job until its process has ended.
      let noStop = try Wakeup()
      try thread.start(name: "job") {
        var run = JobRun(job, settings, WorkerHub(place, worker: worker, stop: noStop), note: note)
        run.run(until: stop)
        ended()
      }
    } catch {
      note("\(job.session): \(error)")
      ended()
    }
    return thread
  }
}
