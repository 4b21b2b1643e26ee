import Glibc
import HoldfastCPlatform
import HoldfastMediaModel

/// Ignores SIGPIPE and SIGXFSZ, so that failed writes return errors.
package func surviveFailedWrites() {
  signal(SIGPIPE, SIG_IGN)
  signal(SIGXFSZ, SIG_IGN)
}

/// Opens the standard descriptors that are closed to `/dev/null`, or a file that is opened later would get what is printed.
package func reserveStandardDescriptors() {
  for descriptor in STDIN_FILENO...STDERR_FILENO where cp_is_closed(descriptor) != 0 {
    // The lowest free number.
    _ = cp_open_null()
  }
}

/// Exits at once without joining threads.
package func endProcess(afterSignal number: Int32) -> Never {
  restoreTerminal()
  _exit(128 + number)
}

/// Whether the process was started with the signal ignored, as by nohup.
package func isIgnored(signal number: Int32) -> Bool { cp_is_ignored(number) != 0 }

/// Whether the process's controlling terminal still exists.
package func hasControllingTerminal() -> Bool {
  (try? FileDescriptor(opening: "/dev/tty", O_RDONLY | O_NOCTTY | O_NONBLOCK)) != nil
}

package func suspendProcess() { kill(getpid(), SIGSTOP) }

/// Signals that a thread reads; they are blocked in the whole process.
package final class Signals: Sendable {
  private let descriptor: FileDescriptor

  package static let interrupt = SIGINT
  package static let terminate = SIGTERM
  package static let hangUp = SIGHUP
  package static let user1 = SIGUSR1
  package static let user2 = SIGUSR2
  package static let terminalStop = SIGTSTP
  package static let proceed = SIGCONT

  /// Must run before the first thread starts, as threads inherit the signal mask.
  package init(_ numbers: [Int32]) throws(SystemError) {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    descriptor = FileDescriptor(
      owning: try check("signalfd") { signalfd(-1, &set, cp_SFD_NONBLOCK | cp_SFD_CLOEXEC) })
  }

  /// Waits for the next signal; nil once `stop` is signalled.
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
