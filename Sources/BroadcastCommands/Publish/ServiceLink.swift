import HoldfastBroadcasting
import HoldfastCommands
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording
import HoldfastService

/// Reports the broadcasts to systemd, and applies logind's events to them.
///
/// Before sleep the broadcast goes to the background, with its recording finished; waking begins a new one. A
/// shutdown keeps off air whoever is.
/// On request a locked or inactive session interrupts.
final class ServiceLink: Sendable {
  private let notifier: ServiceNotifier
  private let watchdog: ServiceWatchdog
  private let logind: LogindWatcher
  private let isOver: Wakeup
  private let watchdogThread = ThreadSlot()
  private let logindThread = ThreadSlot()
  private let interruptOn: Set<SessionState>
  private let state: Locked<State>

  private struct State: Sendable {
    var session: SessionInterruption
    var snapshot = Snapshot()
    /// The recording has failed, and the failure was reported.
    var hasLostRecording = false
    /// The last notification to systemd.
    var status = ""
  }

  /// How long a start waits for the session's state.
  private static let sessionTimeout = MediaTime.seconds(1)

  init(environment: [String: String], interruptOn: Set<SessionState> = []) throws(SystemError) {
    self.interruptOn = interruptOn
    state = Locked(State(session: SessionInterruption(on: interruptOn)))
    notifier = ServiceNotifier(environment: environment)
    watchdog = ServiceWatchdog(environment: environment, notifier: notifier)
    logind = LogindWatcher(
      LogindWatcher.Settings(environment: environment, watchesSession: !interruptOn.isEmpty))
    isOver = try Wakeup()
  }

  /// Tells systemd that the service has started, whatever its broadcast waits for: call this once the control
  /// socket answers. Returns the cause of an interruption already in effect. `note` shows a line to people.
  func start(controlling broadcaster: Broadcaster, note: @escaping @Sendable (String) -> Void)
    throws(SystemError) -> Lifecycle.Cause?
  {
    notify(.ready)
    try watchdogThread.start(name: "watchdog") { [watchdog, isOver] in
      watchdog.run(until: isOver, onNote: note)
    }
    let isSessionDecided = try Wakeup()
    try logindThread.start(name: "logind") { [self] in
      logind.watch(until: isOver) { event in
        switch event {
        case .sleepIsNear(let hold): broadcaster.goToBackground(isSleep: true) { hold.release() }
        case .awake: broadcaster.handle(.sleepEnded)
        case .shutdownIsNear(let hold):
          broadcaster.noteShutdown(isNear: true)
          hold.release()
        case .shutdownIsCancelled: broadcaster.noteShutdown(isNear: false)
        // At a terminal a missing system bus needs no note.
        case .note(let text): if notifier.isConnected { note(text) }
        case .sessionLocked: update(.lock, isActive: true, broadcaster)
        case .sessionUnlocked: update(.lock, isActive: false, broadcaster)
        case .sessionInactive: update(.inactive, isActive: true, broadcaster)
        case .sessionActive: update(.inactive, isActive: false, broadcaster)
        case .sessionIsKnown: isSessionDecided.signal()
        case .sessionIsUnknown(let reason):
          note(Self.note(on: reason))
          isSessionDecided.signal()
        }
      }
    }
    guard !interruptOn.isEmpty else { return nil }
    _ = isSessionDecided.wait(until: .now + Self.sessionTimeout)
    return state.withLock { $0.session.isInterrupting } ? .system : nil
  }

  private func update(_ state: SessionState, isActive: Bool, _ broadcaster: Broadcaster) {
    guard let event = self.state.withLock({ $0.session.update(state, isActive: isActive) }) else { return }
    broadcaster.handle(event)
  }

  private static func note(on reason: String) -> String {
    "\(reason); --interrupt-on has no effect until this is resolved: start it in the graphical "
      + "session, as a service of its user (systemctl --user), or on a machine with a user at seat0"
  }

  func beginReload(at now: MonotonicTime) {
    notify(.reloading(since: now), .status("reloading the configuration"))
  }

  func endReload(_ text: String) { notify(.ready, .status("\(state.withLock { $0.status }); \(text)")) }

  func stop() {
    notify(.stopping)
    isOver.signal()
    watchdogThread.join()
    logindThread.join()
  }

  @Sendable func show(_ observation: Broadcast.Observation) {
    switch observation {
    case .event(let line): show(line.event)
    case .snapshot(let snapshot): show(snapshot)
    case .note, .warning, .offAir: break
    }
  }

  private func show(_ event: BroadcastEvent) {
    switch event {
    case .live, .resumed: setStatus("live")
    case .previewing: setStatus("previewing")
    case .interrupted(let cause, _):
      watchdog.unexpect(.main)
      setStatus("interrupted (\(cause.rawValue))")
    case .backgrounded:
      watchdog.unexpect(.main)
      setStatus("in the background")
    case .starting:
      // It may wait long for a device; the first snapshot restarts the watchdog.
      watchdog.unexpect(.main)
      state.withLock { $0.hasLostRecording = false }
      setStatus("starting")
    case .recording(_, .failed):
      state.withLock { $0.hasLostRecording = true }
      watchdog.unexpect(.recorder)
    case .ended:
      for part in ProgressWatch.Part.allCases { watchdog.unexpect(part) }
    case .programme, .ending, .air, .device, .track, .gap, .losing, .clock, .output, .bitrate, .recording,
      .disk, .timer,
      .gate,
      .mute, .source, .membership:
      break
    }
  }

  private func show(_ snapshot: Snapshot) {
    let before = state.withLock { state in
      defer { state.snapshot = snapshot }
      return state
    }
    watchdog.expect(.main)
    watchdog.report(.main)
    guard snapshot.state == .live else {
      for part in [ProgressWatch.Part.encoder, .recorder] { watchdog.unexpect(part) }
      return
    }
    watchdog.expect(.encoder)
    if snapshot.mediaTime != before.snapshot.mediaTime { watchdog.report(.encoder) }
    guard snapshot.recordedBytes > 0, !before.hasLostRecording else { return }
    // A full or slow disk is no reason to restart the service.
    guard snapshot.disk.map({ !$0.isSuspended && $0 != .slow }) ?? false else {
      return watchdog.unexpect(.recorder)
    }
    watchdog.expect(.recorder)
    if snapshot.recordedBytes != before.snapshot.recordedBytes { watchdog.report(.recorder) }
  }

  private func setStatus(_ status: String) {
    state.withLock { $0.status = status }
    notify(.status(status))
  }

  /// Ignores failures: a broadcast does not depend on systemd.
  private func notify(_ news: ServiceNotification...) {
    for one in news { try? notifier.notify(one) }
  }
}
