internal import CPlatform
internal import Glibc
package import HoldfastMediaModel

/// Wakes a thread that waits in `poll`, as often as it is asked to: its descriptor is readable until `clear`.
package final class Wakeup: Sendable {
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

  /// Waits for the signal, until `deadline` where there is one.
  package func wait(until deadline: MonotonicTime? = nil) {
    var entries = [pollfd(fd: event.raw, events: Int16(POLLIN), revents: 0)]
    _ = try? HoldfastPlatform.poll(&entries, until: deadline)
  }

  /// For `poll`.
  package var descriptor: Int32 { event.raw }
}
