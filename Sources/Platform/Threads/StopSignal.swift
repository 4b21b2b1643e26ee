internal import CPlatform
internal import Glibc
package import HoldfastMediaModel

/// Tells a thread to stop, also one that waits in `poll`: its descriptor is readable until `clear`.
package final class StopSignal: Sendable {
  private let event: FileDescriptor

  package init() throws(SystemError) {
    event = FileDescriptor(owning: try check("eventfd") { eventfd(0, cp_EFD_NONBLOCK | cp_EFD_CLOEXEC) })
  }

  package func signal() {
    eventfd_write(event.raw, 1)
  }

  package func clear() {
    var count: eventfd_t = 0
    eventfd_read(event.raw, &count)
  }

  /// For `poll` among others.
  package var descriptor: Int32 { event.raw }

  package var isSignalled: Bool {
    (try? poll([], until: .now)) == .stopped
  }

  /// False when `deadline` came first.
  package func wait(until deadline: MonotonicTime) -> Bool {
    (try? poll([], until: deadline)) == .stopped
  }

  package enum Outcome: Hashable, Sendable {
    case stopped, ready, timedOut
  }

  /// Waits until one of `descriptors` has something to read or has failed, the signal comes, or the time is over.
  package func poll(_ descriptors: [Int32], until deadline: MonotonicTime?) throws(SystemError) -> Outcome {
    var entries = [pollfd(fd: event.raw, events: Int16(POLLIN), revents: 0)]
    entries += descriptors.map { pollfd(fd: $0, events: Int16(POLLIN | POLLPRI), revents: 0) }
    let ready = try HoldfastPlatform.poll(&entries, until: deadline)
    if entries[0].revents != 0 { return .stopped }
    return ready == 0 ? .timedOut : .ready
  }
}
