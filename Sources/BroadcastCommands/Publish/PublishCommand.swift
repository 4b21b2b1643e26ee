import HoldfastBroadcasting
import HoldfastCommands
import HoldfastControl
import HoldfastHTTP
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastMembership
import HoldfastOperations
import HoldfastPlatform
import HoldfastRecording
import HoldfastSession
import HoldfastSessionClient

/// `holdfast publish [OPTION]...`
struct PublishCommand: Command {
  static let name = "publish"
  static let hasLog = true
  static let summary = "capture, encode and record until stopped"

  let settings: ProgramSettings
  private let environment: [String: String]
  /// Reloads the configuration; nil if no file was named.
  private let reread: (@Sendable () throws(Refusal) -> ProgramSettings)?
  /// A broadcast can be resumed after a crash.
  private let keepsJournal: Bool

  init(_ arguments: [String], environment: [String: String]) throws(Refusal) {
    self.environment = environment
    keepsJournal = true
    let reader = ConfigurationReader(environment: environment)
    settings = try reader.read(arguments)
    let reread: @Sendable () throws(Refusal) -> ProgramSettings = { () throws(Refusal) in
      try ConfigurationReader(environment: environment).read(arguments)
    }
    self.reread = try reader.file(arguments) == nil ? nil : reread
  }

  init(_ configuration: Configuration, environment: [String: String], keepsJournal: Bool) {
    self.environment = environment
    self.keepsJournal = keepsJournal
    settings = ProgramSettings(broadcast: configuration)
    reread = nil
  }

  func run() throws(Refusal) -> Int32 {
    let hasWorker = environment[ProgrammeChild.pulseVariable] != nil
    _ = try publish(controlledBy: try Self.signals(), meanwhile: hasWorker ? Self.stopWithWorker : nil)
    return ExitStatus.success.rawValue
  }

  private static let stopWithWorker: @Sendable (Broadcaster, Wakeup) -> Void = { broadcaster, isOver in
    if ParentPulse.waitForSilence(of: ProgrammeChild.longestSilence, or: isOver) {
      broadcaster.handle(.command(.stop))
    }
  }

  /// Call before any other thread is started, so that none of them gets the signals.
  static func signals() throws(Refusal) -> Signals {
    do throws(SystemError) { return try Signals(ProcessSignals.numbers) } catch {
      throw Refusal(.system, "signals", "\(error)", "check whether the machine is out of memory or files")
    }
  }

  /// Broadcasts until stopped, and returns a report on each broadcast. `meanwhile` runs concurrently, and
  /// must return when its `Wakeup` is signalled.
  func publish(
    controlledBy signals: Signals, meanwhile: (@Sendable (Broadcaster, Wakeup) -> Void)? = nil
  ) throws(Refusal) -> [Report] {
    try checkSession()
    let confinement = try self.confinement()
    // Two broadcasts of one name would also collide at their servers.
    let name = settings.broadcast.name
    let listener = try mapError(ControlSockets.claim(name, environment: environment)) {
      (error: UnixListener.ClaimError) in Refusal(error, claiming: name)
    }
    let access = try ControlAccess(settings, environment: environment)
    let console = try BroadcastConsole(events: settings.events)
    defer { console.close() }
    do {
      let note: @Sendable (String) -> Void = { console.show(.note($0)) }
      let warn: @Sendable (String) -> Void = { console.show(.warning($0)) }
      let journals = keepsJournal ? try openJournals(warn: warn) : nil
      let reports = Locked<[Report]>([])
      let service = try ServiceLink(environment: environment, interruptOn: settings.interruptOn)
      let wakeup = try Wakeup()
      let history = ControlHistory(EventHistory(wakeup: wakeup))
      let observe: @Sendable (Broadcast.Observation) -> Void = { observation in
        console.show(observation)
        service.show(observation)
        history.observe(observation)
      }
      let forCommands = environment.filter { !settings.secretVariables.contains($0.key) }
      let live = LivePackets { wakeup.signal() }
      let link = Locked<MembershipLink?>(nil)
      let othersReady = OthersReady()
      let broadcaster = Broadcaster(
        settings.broadcasting, journals: journals, environment: forCommands, confinement: confinement,
        gate: settings.membership.awaitsOthers.map { OthersGate(others: $0, changes: othersReady.changes) },
        live: live,
        observe: { observation in
          observe(observation)
          link.withLock { $0 }?.observe(observation)
        }
      ) { outcome in
        console.finish(outcome)
        if let report = outcome.report { reports.withLock { $0.append(report) } }
      }
      let reload = try ConfigurationReload(
        .init(
          first: settings, read: reread, events: console.events, access: access, broadcaster: broadcaster,
          service: service, observe: console.show))
      let canReload = reread != nil || console.events?.isRotatable == true || access.canReload
      let control = BroadcasterControl(broadcaster, history, live, canReload ? reload.perform : nil)
      let server = try HTTPServer(
        listener, listeners: access.listeners, wakeup: wakeup,
        handler: ControlAPI(control, access.parts(of: control, note: note)))
      if let text = access.note { note(text) }
      let signalThread = try ProcessSignals(
        signals, controlling: broadcaster, hangUp: HangUpPolicy(hasFile: reread != nil),
        flush: console.flush
      ) { action in
        switch action {
        case .reload: reload.request()
        case .nothingToReload:
          if !canReload { warn("SIGHUP: no configuration file to reload (--config)") }
          reload.request()
        case .ignore: reload.requestWithoutConfiguration()
        case .stop: break
        }
      }
      let question = try settings.joined.flatMap { (joined) throws(SystemError) in
        try PasswordQuestion(of: joined.address.name, note: warn) { text in
          link.withLock { $0 }?.use(password: text)
        }
      }
      let membership = try membership(of: broadcaster, journals, othersReady, question, warn: warn)
      link.withLock { $0 = membership }
      control.membership.withLock { $0 = membership }
      let cause = try service.start(controlling: broadcaster, note: warn)
      let companion = try meanwhile.map { run in
        try StoppableThread(name: "meanwhile") { isOver in run(broadcaster, isOver) }
      }
      let failure = broadcaster.run(interruptedBy: cause, isTypedAtTerminal: isStartedAtTerminal)
      companion?.stop()
      membership?.finish()
      // The broadcaster's observer holds it, and it the broadcaster.
      link.withLock { $0 = nil }
      question?.stop()
      signalThread.stop()
      control.checks.abandon()
      server.stop()
      reload.stop()
      service.stop()
      if let failure { throw Refusal(failure) }
      return reports.withLock { $0 }
    } catch {
      throw .system("publish", error)
    }
  }

  /// Nil without a session.
  private func membership(
    of broadcaster: Broadcaster, _ journals: JournalFolder?, _ othersReady: OthersReady,
    _ question: PasswordQuestion?,
    warn: @escaping @Sendable (String) -> Void
  ) throws -> MembershipLink? {
    guard let (session, kind) = settings.joined else { return nil }
    let joining = settings.membership
    let secrets = MembershipSecrets(joining, environment: environment)
    let password: @Sendable () -> String? = { try? secrets.password() }
    let place = HubRequests.Place(
      session, tls: TLSSettings(caFile: joining.hubCA), password: password
    ) { () throws(TokenUnavailable) in
      do throws(Refusal) { return try secrets.token() } catch { throw TokenUnavailable("\(error)") }
    }
    var machine = MembershipMachine.Settings(
      address: session.description,
      name: try Session.DisplayName(joining.name ?? settings.broadcast.name))
    machine.password = password()
    machine.kind = kind
    if kind == .programme { machine.wants = [.play] }
    if joining.smallRendition != nil { machine.wants.insert(.ingestSmall) }
    machine.allowsUnmute = joining.allowsUnmute
    machine.afterSession = joining.afterSession
    return MembershipLink(
      machine, place, journals: journals?.path, controlling: broadcaster, othersReady: othersReady,
      askPassword: question?.ask, note: warn)
  }

  private func checkSession() throws(Refusal) {
    try settings.checkSmallRendition()
    guard let (session, kind) = settings.joined else { return }
    if kind == .programme, settings.membership.session != nil {
      throw Refusal(
        .usage, "--session", "a stage's programme is a member of its session already",
        "leave --session out, or publish from another process")
    }
    try MembershipSecrets(settings.membership, environment: environment).check()
    guard !session.origin.isSecure, !session.origin.isLoopback, !settings.membership.allowsInsecureLAN else {
      return
    }
    throw Refusal(
      .usage, kind == .programme ? "stage:\(session)" : "--session \(session)",
      "http to another machine is not encrypted: the token and the password could be read on the way",
      "use https, or --insecure-lan on a network that you trust")
  }

  private func confinement() throws(Refusal) -> FolderConfinement? {
    guard !settings.hookFolders.isEmpty else { return nil }
    let confinement = FolderConfinement(settings.hookFolders)
    do throws(SystemError) { try confinement.check() } catch {
      throw Refusal(
        error.isNotFound ? .notFound : .configuration, "--hook-folders", "\(error)",
        error.isNotFound
          ? "create the folder, or correct its path"
          : "leave it out, or use a kernel with Landlock (5.13 or newer, lsm=landlock)")
    }
    return confinement
  }

  /// Nil, with a note, if there can't be any: the broadcast matters more than its journal.
  private func openJournals(warn: (String) -> Void) throws(Refusal) -> JournalFolder? {
    do throws(JournalError) {
      return try JournalFolder(name: settings.broadcast.name, environment: environment)
    } catch {
      guard error.kind != .inUse else {
        throw Refusal(.refused, "--name \(settings.broadcast.name)", error.what, error.hint)
      }
      warn("no journal, so the broadcast can't be resumed after a crash: \(error)")
      return nil
    }
  }
}

extension Refusal {
  init(_ error: BroadcastError) {
    switch error {
    case .capture(let error) where error.isRemote:
      let isRefused = error.kind == .notPermitted
      self.init(isRefused ? .refused : .notFound, error.device, error.what, error.hint)
    case .capture(let error):
      let track = error.track.rawValue
      let signal = error.track == .video ? "test" : "tone"
      let others = "--\(track) off, --\(track) \(signal) for a test signal, or --wait-for-devices"
      self.init(.notFound, error.device, error.what, "\(error.hint), or use \(others)")
    case .recording(let error): self.init(.disk, error.path, error.what, "\(error.hint) (--record)")
    case .encoding(let what):
      self.init(
        .configuration, "encoder", what, "choose another one (--encoder, --video-codec, --audio-codec)")
    case .refused(let reasons):
      self.init(
        .refused, "publish", reasons.joined(separator: "; "),
        "correct the address, key or password, or also record")
    case .gaveUp(let reasons):
      self.init(
        .gaveUp, "publish", reasons.joined(separator: "; "),
        "check that the servers are running and reachable (holdfast check URL)")
    case .notDelivered(let reasons):
      self.init(
        .gaveUp, "publish", "not published: " + reasons.joined(separator: "; "),
        "check that the servers are running and reachable (holdfast check URL)")
    case .gate(let error):
      self.init(.refused, "publish", "\(error)", "check the gate (--gate, --await-ready, --on-gate-timeout)")
    case .system(let what): self = .system("publish", what)
    }
  }
}
