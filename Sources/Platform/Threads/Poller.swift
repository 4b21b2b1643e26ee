internal import Glibc
internal import HoldfastCPlatform
package import HoldfastMediaModel

/// Waits for many descriptors at once: told anew before each wait which ones, and for what.
package struct Poller {
  private var entries: [pollfd] = []

  package init() {}

  package mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
  }

  /// Adds a descriptor; the result is the place to ask for it at afterwards.
  @discardableResult
  package mutating func add(_ descriptor: Int32, toWrite: Bool = false) -> Int {
    entries.append(pollfd(fd: descriptor, events: Int16(toWrite ? POLLIN | POLLOUT : POLLIN), revents: 0))
    return entries.count - 1
  }

  /// Waits until one of them is ready, or until `deadline`; for ever without one.
  package mutating func wait(until deadline: MonotonicTime?) throws(SystemError) {
    _ = try poll(&entries, until: deadline)
  }

  /// There is something to read at this place, an end or a failure.
  package func mayRead(_ place: Int) -> Bool {
    entries.indices.contains(place) && Int32(entries[place].revents) & ~POLLOUT != 0
  }

  package func mayWrite(_ place: Int) -> Bool {
    entries.indices.contains(place) && Int32(entries[place].revents) & POLLOUT != 0
  }
}
