import Glibc
import HoldfastCPlatform
package import HoldfastMediaModel

/// Wakes a thread from `poll`: the descriptor is readable from `signal` until `clear`.
package final class Wakeup: Sendable {
  private let event: FileDescriptor
  /// Tells what the descriptor would, without a system call. Set before it and reset before it, so that no signal is missed.
  private let isSet = Locked(false)

  package init() throws(SystemError) {
    event = FileDescriptor(owning: try check("eventfd") { eventfd(0, cp_EFD_NONBLOCK | cp_EFD_CLOEXEC) })
  }

  package func signal() {
    isSet.withLock { $0 = true }
    eventfd_write(event.raw, 1)
  }

  /// Resets the signal; returns whether it was set.
  @discardableResult package func clear() -> Bool {
    isSet.withLock { $0 = false }
    var count: eventfd_t = 0
    return eventfd_read(event.raw, &count) == 0
  }

  package var descriptor: Int32 { event.raw }

  package var isSignalled: Bool { isSet.withLock { $0 } }

  @discardableResult package func wait(until deadline: MonotonicTime? = nil) -> Bool {
    (try? poll([], until: deadline)) == .signalled
  }

  package enum Outcome: Hashable, Sendable { case signalled, ready, timedOut }

  /// Waits for the signal, for one of `descriptors` to be readable or fail, or for `deadline`.
  package func poll(_ descriptors: [Int32], until deadline: MonotonicTime?) throws(SystemError) -> Outcome {
    var entries = [pollfd(event.raw)] + descriptors.map { pollfd($0, for: POLLIN | POLLPRI) }
    let ready = try HoldfastPlatform.poll(&entries, until: deadline)
    if entries[0].revents != 0 { return .signalled }
    return ready == 0 ? .timedOut : .ready
  }
}
