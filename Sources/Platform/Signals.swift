internal import CPlatform
internal import Glibc
internal import MediaModel

/// From here on a reader that has gone, and a file that may not get larger, are errors of the write, not the end of the
/// process.
public func surviveFailedWrites() {
  signal(SIGPIPE, SIG_IGN)
  signal(SIGXFSZ, SIG_IGN)
}

/// Ends the process at once, whatever its threads wait for.
public func endProcess(afterSignal number: Int32) -> Never {
  _exit(128 + number)
}

/// Whoever started the process wants the signal to do nothing, as nohup does.
public func isIgnored(signal number: Int32) -> Bool {
  cp_is_ignored(number) != 0
}

/// The process is steered from a terminal, which is still there.
public func hasControllingTerminal() -> Bool {
  guard case let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC), terminal >= 0
  else {
    return false
  }
  close(terminal)
  return true
}

/// Stops the process as a shell would, until somebody continues it.
public func suspendProcess() {
  kill(getpid(), SIGSTOP)
}

/// Signals as things that can be waited for. They are blocked for the whole process, so they reach nobody else.
public final class Signals: Sendable {
  private let descriptor: FileDescriptor

  public static let interrupt = SIGINT
  public static let terminate = SIGTERM
  public static let hangUp = SIGHUP
  public static let user1 = SIGUSR1
  public static let user2 = SIGUSR2
  public static let terminalStop = SIGTSTP
  public static let proceed = SIGCONT

  /// Call it before the first thread starts: threads inherit the mask.
  public init(_ numbers: [Int32]) throws(SystemError) {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    descriptor = FileDescriptor(
      owning: try check("signalfd") { signalfd(-1, &set, cp_SFD_NONBLOCK | cp_SFD_CLOEXEC) })
  }

  /// The next signal; nil once `stop` is signalled.
  public func next(until stop: StopSignal) throws(SystemError) -> Int32? {
    while true {
      let wakeup = try stop.poll([descriptor.raw], until: .now + .seconds(3600))
      if wakeup == .stopped { return nil }
      var information = signalfd_siginfo()
      if read(descriptor.raw, &information, MemoryLayout<signalfd_siginfo>.size) > 0 {
        return Int32(information.ssi_signo)
      }
    }
  }
}
