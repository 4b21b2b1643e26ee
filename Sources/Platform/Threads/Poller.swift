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

extension pollfd {
  init(_ descriptor: Int32, for events: Int32 = POLLIN) {
    self.init(fd: descriptor, events: Int16(events), revents: 0)
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
    entries.append(pollfd(descriptor, for: toWrite ? POLLIN | POLLOUT : POLLIN))
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
