internal import Glibc
internal import HoldfastCPlatform
internal import HoldfastMediaModel

/// From here on a reader that has gone, and a file that may not get larger, are errors of the write, not the end of the
/// process.
package func surviveFailedWrites() {
  signal(SIGPIPE, SIG_IGN)
  signal(SIGXFSZ, SIG_IGN)
}

/// Ends the process at once, whatever its threads wait for.
package func endProcess(afterSignal number: Int32) -> Never {
  _exit(128 + number)
}

/// Whoever started the process wants the signal to do nothing, as nohup does.
package func isIgnored(signal number: Int32) -> Bool {
  cp_is_ignored(number) != 0
}

/// The process is steered from a terminal, which is still there.
package func hasControllingTerminal() -> Bool {
  guard case let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC), terminal >= 0
  else {
    return false
  }
  close(terminal)
  return true
}

/// Stops the process as a shell would, until somebody continues it.
package func suspendProcess() {
  kill(getpid(), SIGSTOP)
}

/// Signals as things that can be waited for. They are blocked for the whole process, so they reach nobody else.
package final class Signals: Sendable {
  private let descriptor: FileDescriptor

  package static let interrupt = SIGINT
  package static let terminate = SIGTERM
  package static let hangUp = SIGHUP
  package static let user1 = SIGUSR1
  package static let user2 = SIGUSR2
  package static let terminalStop = SIGTSTP
  package static let proceed = SIGCONT

  /// Call it before the first thread starts: threads inherit the mask.
  package init(_ numbers: [Int32]) throws(SystemError) {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    descriptor = FileDescriptor(
      owning: try check("signalfd") { signalfd(-1, &set, cp_SFD_NONBLOCK | cp_SFD_CLOEXEC) })
  }

  /// The next signal; nil once `stop` is signalled.
  package func next(until stop: Wakeup) throws(SystemError) -> Int32? {
    while true {
      let wakeup = try stop.poll([descriptor.raw], until: .now + .seconds(3600))
      if wakeup == .signalled { return nil }
      var information = signalfd_siginfo()
      if read(descriptor.raw, &information, MemoryLayout<signalfd_siginfo>.size) > 0 {
        return Int32(information.ssi_signo)
      }
    }
  }
}
