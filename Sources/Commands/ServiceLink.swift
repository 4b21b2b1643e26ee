internal import Broadcasting
internal import Lifecycle
internal import MediaModel
internal import Platform

/// What systemd hears of the broadcasts, and what logind asks of them.
///
/// systemd is told when the first broadcast is live, what goes on, and that everything moves that should. Before the machine
/// sleeps the broadcast goes to the background; its recording is finished by then. Waking begins a new one.
final class ServiceLink: Sendable {
  private let notifier: ServiceNotifier
  private let watchdog: ServiceWatchdog
  private let logind: LogindWatcher
  private let isOver: StopSignal
  private let watchdogThread = ThreadSlot()
  private let logindThread = ThreadSlot()
  private let last = Locked(Snapshot())
  /// Nothing is written any more, and that is known.
  private let hasLostRecording = Locked(false)

  init(environment: [String: String]) throws(SystemError) {
    notifier = ServiceNotifier(environment: environment)
    watchdog = ServiceWatchdog(environment: environment, notifier: notifier)
    logind = LogindWatcher(LogindWatcher.Settings(environment: environment))
    isOver = try StopSignal()
  }

  /// `note` shows a line to people.
  func start(steering broadcaster: Broadcaster, note: @escaping @Sendable (String) -> Void)
    throws(SystemError)
  {
    try watchdogThread.start(name: "watchdog") { [watchdog, isOver] in
      watchdog.run(until: isOver, onNote: note)
    }
    let isService = notifier.isHeard
    try logindThread.start(name: "logind") { [logind, isOver] in
      logind.watch(until: isOver) { event in
        switch event {
        case .sleepIsNear(let hold): broadcaster.goToBackground { hold.release() }
        case .awake: broadcaster.handle(.becameActive)
        // At a terminal it is no news that there is no system bus.
        case .note(let text): if isService { note(text) }
        case .sessionLocked, .sessionUnlocked, .sessionInactive, .sessionActive: break
        }
      }
    }
  }

  func stop() {
    tell(.stopping)
    isOver.signal()
    watchdogThread.join()
    logindThread.join()
  }

  @Sendable func show(_ observation: Broadcast.Observation) {
    switch observation {
    case .event(let line): show(line.event)
    case .snapshot(let snapshot): look(at: snapshot)
    case .note: break
    }
  }

  private func show(_ event: BroadcastEvent) {
    switch event {
    case .live: tell(.ready, .status("live"))
    case .previewing: tell(.ready, .status("previewing"))
    case .resumed: tell(.status("live"))
    case .interrupted(let cause, _): tell(.status("interrupted (\(cause.rawValue))"))
    case .backgrounded: tell(.status("in the background"))
    case .starting:
      hasLostRecording.withLock { $0 = false }
      tell(.status("starting"))
    case .recording(_, .failed):
      hasLostRecording.withLock { $0 = true }
      watchdog.rest(.recorder)
    case .ended:
      for part in ProgressWatch.Part.allCases { watchdog.rest(part) }
    case .device, .gap, .output, .bitrate, .recording: break
    }
  }

  /// A snapshot shows which parts have moved since the last one.
  private func look(at snapshot: Snapshot) {
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
    watchdog.expect(.recorder)
    if snapshot.recordedBytes != before.recordedBytes { watchdog.report(.recorder) }
  }

  /// Nobody is kept from broadcasting because systemd does not listen.
  private func tell(_ news: ServiceNews...) {
    for one in news { try? notifier.tell(one) }
  }
}
