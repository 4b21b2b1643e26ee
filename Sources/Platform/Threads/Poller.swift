import Glibc
import HoldfastCPlatform
package import HoldfastMediaModel

/// Waits until an entry is ready or `deadline` has passed; returns the number of ready entries.
func poll(_ entries: inout [pollfd], until deadline: MonotonicTime?) throws(SystemError) -> Int {
  while true {
    let result: Int32
    if let deadline {
      var time = timespec(nanoseconds: max(0, (deadline - .now).nanoseconds))
      result = ppoll(&entries, nfds_t(entries.count), &time, nil)
    } else {
      result = ppoll(&entries, nfds_t(entries.count), nil, nil)
    }
    if result >= 0 { return Int(result) }
    if cp_errno() != EINTR { throw .last("poll") }
  }
}

/// A set of descriptors to poll, rebuilt before each wait.
package struct Poller {
  private var entries: [pollfd] = []

  package init() {}

  package mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

  /// Adds a descriptor; returns its index for `mayRead` and `mayWrite`.
  @discardableResult
  package mutating func add(_ descriptor: Int32, toWrite: Bool = false) -> Int {
    entries.append(pollfd(fd: descriptor, events: Int16(toWrite ? POLLIN | POLLOUT : POLLIN), revents: 0))
    return entries.count - 1
  }

  package mutating func wait(until deadline: MonotonicTime?) throws(SystemError) {
    _ = try poll(&entries, until: deadline)
  }

  /// Whether data, an end or an error can be read.
  package func mayRead(_ index: Int) -> Bool {
    entries.indices.contains(index) && Int32(entries[index].revents) & ~POLLOUT != 0
  }

  package func mayWrite(_ index: Int) -> Bool {
    entries.indices.contains(index) && Int32(entries[index].revents) & POLLOUT != 0
  }
}

/// Wakes a thread from `poll`: the descriptor is readable from `signal` until `clear`.
package final class Wakeup: Sendable {
  private let event: FileDescriptor

  package init() throws(SystemError) {
    event = FileDescriptor(owning: try check("eventfd") { eventfd(0, cp_EFD_NONBLOCK | cp_EFD_CLOEXEC) })
  }

  package func signal() { eventfd_write(event.raw, 1) }

  /// Resets the signal; returns whether it was set.
  @discardableResult package func clear() -> Bool {
    var count: eventfd_t = 0
    return eventfd_read(event.raw, &count) == 0
  }

  package var descriptor: Int32 { event.raw }

  package var isSignalled: Bool { (try? poll([], until: .now)) == .signalled }

  @discardableResult package func wait(until deadline: MonotonicTime? = nil) -> Bool {
    (try? poll([], until: deadline)) == .signalled
  }

  package enum Outcome: Hashable, Sendable { case signalled, ready, timedOut }

  /// Waits for the signal, for one of `descriptors` to be readable or fail, or for `deadline`.
  package func poll(_ descriptors: [Int32], until deadline: MonotonicTime?) throws(SystemError) -> Outcome {
    var entries = [pollfd(fd: event.raw, events: Int16(POLLIN), revents: 0)]
    entries += descriptors.map { pollfd(fd: $0, events: Int16(POLLIN | POLLPRI), revents: 0) }
    let ready = try HoldfastPlatform.poll(&entries, until: deadline)
    if entries[0].revents != 0 { return .signalled }
    return ready == 0 ? .timedOut : .ready
  }
}
