internal import CPlatform
internal import Glibc
public import MediaModel

/// Tells a thread to stop, also one that waits in `poll`: its descriptor is readable from then on.
public final class StopSignal: Sendable {
  private let event: FileDescriptor

  public init() throws(SystemError) {
    event = FileDescriptor(owning: try check("eventfd") { eventfd(0, cp_EFD_NONBLOCK | cp_EFD_CLOEXEC) })
  }

  public func signal() {
    eventfd_write(event.raw, 1)
  }

  public var isSignalled: Bool {
    (try? poll([], until: .now)) == .stopped
  }

  /// False when `deadline` came first.
  public func wait(until deadline: MonotonicTime) -> Bool {
    (try? poll([], until: deadline)) == .stopped
  }

  public enum Wakeup: Hashable, Sendable {
    case stopped, ready, timedOut
  }

  /// Waits until one of `descriptors` has something to read or has failed, the signal comes, or the time is over.
  public func poll(_ descriptors: [Int32], until deadline: MonotonicTime) throws(SystemError) -> Wakeup {
    var entries = [pollfd(fd: event.raw, events: Int16(POLLIN), revents: 0)]
    entries += descriptors.map { pollfd(fd: $0, events: Int16(POLLIN | POLLPRI), revents: 0) }
    while true {
      let left = max(0, deadline.nanoseconds - MonotonicTime.now.nanoseconds)
      var time = timespec(tv_sec: Int(left / 1_000_000_000), tv_nsec: Int(left % 1_000_000_000))
      let result = ppoll(&entries, nfds_t(entries.count), &time, nil)
      if result < 0, cp_errno() == EINTR { continue }
      if result < 0 { throw .last("poll") }
      if entries[0].revents != 0 { return .stopped }
      return result == 0 ? .timedOut : .ready
    }
  }
}
