internal import CPlatform
internal import Glibc
public import MediaModel

/// Wakes a thread that waits in `poll`, as often as it is asked to: its descriptor is readable until `clear`.
public final class Wakeup: Sendable {
  private let event: FileDescriptor

  public init() throws(SystemError) {
    event = FileDescriptor(owning: try check("eventfd") { eventfd(0, cp_EFD_NONBLOCK | cp_EFD_CLOEXEC) })
  }

  public func signal() {
    eventfd_write(event.raw, 1)
  }

  public func clear() {
    var count: eventfd_t = 0
    eventfd_read(event.raw, &count)
  }

  /// Waits for the signal, until `deadline` where there is one.
  public func wait(until deadline: MonotonicTime? = nil) {
    var entries = [pollfd(fd: event.raw, events: Int16(POLLIN), revents: 0)]
    _ = try? Platform.poll(&entries, until: deadline)
  }

  /// For `poll`.
  public var descriptor: Int32 { event.raw }
}
