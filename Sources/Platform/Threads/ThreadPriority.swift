import Glibc

/// A thread's share of the processor, where the threads that do not concern the media have the usual one.
package enum ThreadPriority: Int32, Hashable, Sendable, CaseIterable {
  /// Sound needs little time, and what is lost of it is heard.
  case sound = -11
  case picture = -5
  case usual = 0
  case background = 10

  /// Applies to the calling thread, and to the threads that it starts. Without the right to it
  /// (`RLIMIT_NICE`), a priority above the process's leaves the thread as it is.
  func apply() {
    let one = Int32(PRIO_PROCESS.rawValue)
    _ = setpriority(one, 0, getpriority(one, id_t(getpid())) + rawValue)
  }
}
