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

  /// For `poll` among others.
  public var descriptor: Int32 { event.raw }

  public var isSignalled: Bool {
    (try? poll([], until: .now)) == .stopped
  }

  /// False when `deadline` came first.
  public func wait(until deadline: MonotonicTime) -> Bool {
    (try? poll([], until: deadline)) == .stopped
  }

  public enum Outcome: Hashable, Sendable {
    case stopped, ready, timedOut
  }

  /// Waits until one of `descriptors` has something to read or has failed, the signal comes, or the time is over.
  public func poll(_ descriptors: [Int32], until deadline: MonotonicTime?) throws(SystemError) -> Outcome {
    var entries = [pollfd(fd: event.raw, events: Int16(POLLIN), revents: 0)]
    entries += descriptors.map { pollfd(fd: $0, events: Int16(POLLIN | POLLPRI), revents: 0) }
    let ready = try Platform.poll(&entries, until: deadline)
    if entries[0].revents != 0 { return .stopped }
    return ready == 0 ? .timedOut : .ready
  }
}
