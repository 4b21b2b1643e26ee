import HoldfastBroadcasting
import HoldfastCommands
import HoldfastLifecycle
import HoldfastPlatform

/// Applies the process's signals to its broadcasts.
///
/// The first SIGINT or SIGTERM ends the broadcasts, the second the process, immediately. SIGUSR1 interrupts,
/// SIGUSR2 resumes. SIGTSTP goes to the background and then stops the process; SIGCONT returns. SIGHUP
/// reloads the configuration and reopens the events file, or ends the broadcasts if the terminal has gone.
final class ProcessSignals: Sendable {
  static let numbers = [
    Signals.interrupt, Signals.terminate, Signals.hangUp, Signals.user1, Signals.user2, Signals.terminalStop,
    Signals.proceed,
  ]

  private let thread: StoppableThread

  /// `flush` is called before the process is stopped; `onHangUp` receives each action except `stop`.
  init(
    _ signals: Signals, controlling broadcaster: Broadcaster, hangUp: HangUpPolicy,
    flush: @escaping @Sendable () -> Void,
    onHangUp: @escaping @Sendable (HangUpPolicy.Action) -> Void
  ) throws(SystemError) {
    thread = try StoppableThread(name: "signals") { isOver in
      var isEnding = false
      let isInBackground = Locked(false)
      while let number = try? signals.next(until: isOver) {
        switch number {
        case Signals.user1: broadcaster.handle(.command(.interrupt))
        case Signals.user2: broadcaster.handle(.command(.resume))
        case Signals.terminalStop:
          isInBackground.withLock { $0 = true }
          broadcaster.goToBackground {
            flush()
            // After a SIGCONT that came meanwhile, nobody would continue the process.
            if isInBackground.withLock({ $0 }) { suspendProcess() }
          }
        case Signals.proceed:
          isInBackground.withLock { $0 = false }
          broadcaster.handle(.command(.foreground))
        case Signals.hangUp:
          let action = hangUp.action(hasTerminal: hasControllingTerminal())
          // Both the system and the shell send it, so a second one does not end the process.
          if action == .stop { broadcaster.handle(.command(.stop)) } else { onHangUp(action) }
        default:
          if isEnding { endProcess(afterSignal: number) }
          isEnding = true
          broadcaster.handle(.command(.stop))
        }
      }
    }
  }

  func stop() { thread.stop() }
}
