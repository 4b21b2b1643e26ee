internal import HoldfastBroadcasting
internal import HoldfastLifecycle
internal import HoldfastMediaModel
internal import HoldfastPlatform
internal import HoldfastRecording
internal import HoldfastService

/// Notifies systemd of the broadcasts, and gives them what logind reports.
///
/// systemd is notified when the first broadcast is live, what goes on, and that everything moves that should. Before the
/// machine sleeps the broadcast goes to the background; its recording is finished by then. Waking begins a new one. A
/// session that is locked or inactive interrupts where `interruptOn` says so.
final class ServiceLink: Sendable {
  private let notifier: ServiceNotifier
  private let watchdog: ServiceWatchdog
  private let logind: LogindWatcher
  private let isOver: Wakeup
  private let watchdogThread = ThreadSlot()
  private let logindThread = ThreadSlot()
  private let last = Locked(Snapshot())
  /// Nothing is written any more, and that is known.
  private let hasLostRecording = Locked(false)
  private let interruptOn: Set<SessionState>
  private let session: Locked<SessionInterruption>
  private let reported = Locked(Reported())

  /// What systemd knows.
  private struct Reported: Sendable {
    var isReady = false
    var status = ""
  }

  /// How long a start waits for the state of the session.
  private static let sessionTimeout = MediaTime.seconds(1)

  init(environment: [String: String], interruptOn: Set<SessionState> = []) throws(SystemError) {
    self.interruptOn = interruptOn
    session = Locked(SessionInterruption(on: interruptOn))
    notifier = ServiceNotifier(environment: environment)
    watchdog = ServiceWatchdog(environment: environment, notifier: notifier)
    logind = LogindWatcher(
      LogindWatcher.Settings(environment: environment, watchesSession: !interruptOn.isEmpty))
    isOver = try Wakeup()
  }

  /// What interrupts already. `note` shows a line to people.
  func start(steering broadcaster: Broadcaster, note: @escaping @Sendable (String) -> Void)
    throws(SystemError) -> Lifecycle.Cause?
  {
    try watchdogThread.start(name: "watchdog") { [watchdog, isOver] in
      watchdog.run(until: isOver, onNote: note)
    }
    let isSessionDecided = try Wakeup()
    try logindThread.start(name: "logind") { [self] in
      logind.watch(until: isOver) { event in
        switch event {
        case .sleepIsNear(let hold): broadcaster.goToBackground { hold.release() }
        case .awake: broadcaster.handle(.command(.foreground))
        // At a terminal it is no news that there is no system bus.
        case .note(let text): if notifier.isHeard { note(text) }
        case .sessionLocked: learn(.lock, isSo: true, broadcaster)
        case .sessionUnlocked: learn(.lock, isSo: false, broadcaster)
        case .sessionInactive: learn(.inactive, isSo: true, broadcaster)
        case .sessionActive: learn(.inactive, isSo: false, broadcaster)
        case .sessionIsKnown: isSessionDecided.signal()
        case .sessionIsUnknown(let why):
          note(Self.note(on: why))
          isSessionDecided.signal()
        }
      }
    }
    guard !interruptOn.isEmpty else { return nil }
    _ = isSessionDecided.wait(until: .now + Self.sessionTimeout)
    return session.withLock { $0.isInterrupting } ? .system : nil
  }

  private func learn(_ state: SessionState, isSo: Bool, _ broadcaster: Broadcaster) {
    guard let event = session.withLock({ $0.learn(state, isSo: isSo) }) else { return }
    broadcaster.handle(event)
  }

  private static func note(on why: String) -> String {
    "\(why); until that changes --interrupt-on neither interrupts nor resumes: start it within the session at the "
      + "screen, as a service of its user (systemctl --user), or where somebody is at seat0"
  }

  /// The configuration is being read again. systemd hears nothing of it before it has heard of the start's end.
  func beginReload(at now: MonotonicTime) {
    guard reported.withLock({ $0.isReady }) else { return }
    notify(.reloading(since: now), .status("reading the configuration again"))
  }

  /// `text` is what came of it.
  func endReload(_ text: String) {
    let reported = reported.withLock { $0 }
    guard reported.isReady else { return }
    notify(.ready, .status("\(reported.status); \(text)"))
  }

  func stop() {
    notify(.stopping)
    isOver.signal()
    watchdogThread.join()
    logindThread.join()
  }

  @Sendable func show(_ observation: Broadcast.Observation) {
    switch observation {
    case .event(let line): show(line.event)
    case .snapshot(let snapshot): watch(snapshot)
    case .note: break
    }
  }

  private func show(_ event: BroadcastEvent) {
    switch event {
    case .live, .resumed: become("live", isReady: true)
    case .previewing: become("previewing", isReady: true)
    // Also from the start: there is no more that it could do.
    case .interrupted(let cause, _):
      watchdog.rest(.main)
      become("interrupted (\(cause.rawValue))", isReady: true)
    case .backgrounded:
      watchdog.rest(.main)
      become("in the background", isReady: true)
    case .starting:
      // It may wait for a device for long; the first snapshot says that something moves again.
      watchdog.rest(.main)
      hasLostRecording.withLock { $0 = false }
      become("starting", isReady: false)
    case .recording(_, .failed):
      hasLostRecording.withLock { $0 = true }
      watchdog.rest(.recorder)
    case .ended:
      for part in ProgressWatch.Part.allCases { watchdog.rest(part) }
    case .device, .gap, .output, .bitrate, .recording, .disk, .timer, .gate, .mute, .source: break
    }
  }

  /// A snapshot shows which parts have moved since the last one.
  private func watch(_ snapshot: Snapshot) {
    let before = last.withLock { last in
      defer { last = snapshot }
      return last
    }
    watchdog.expect(.main)
    watchdog.report(.main)
    guard snapshot.state == .live else {
      for part in [ProgressWatch.Part.encoder, .recorder] { watchdog.rest(part) }
      return
    }
    watchdog.expect(.encoder)
    if snapshot.mediaTime != before.mediaTime { watchdog.report(.encoder) }
    guard snapshot.recordedBytes > 0, !hasLostRecording.withLock({ $0 }) else { return }
    // A disk that takes nothing, or takes its time, is no reason to start anew.
    guard snapshot.disk.map({ !$0.isHolding && $0 != .slow }) ?? false else {
      return watchdog.rest(.recorder)
    }
    watchdog.expect(.recorder)
    if snapshot.recordedBytes != before.recordedBytes { watchdog.report(.recorder) }
  }

  private func become(_ status: String, isReady: Bool) {
    let isFirst = reported.withLock { reported in
      defer {
        reported.isReady = reported.isReady || isReady
        reported.status = status
      }
      return isReady && !reported.isReady
    }
    if isFirst { notify(.ready) }
    notify(.status(status))
  }

  /// Nobody is kept from broadcasting because systemd does not listen.
  private func notify(_ news: ServiceNews...) {
    for one in news { try? notifier.tell(one) }
  }
}
