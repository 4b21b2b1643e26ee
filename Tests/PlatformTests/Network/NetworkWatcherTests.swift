import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import Testing

@Suite(.enabled(if: NetworkNamespace.isPermitted, "needs the right to make a network namespace"))
struct NetworkWatcherTests {
  /// Whether the watcher reports a change in time.
  private static func awaitChange(_ watcher: NetworkWatcher, until deadline: MonotonicTime) throws -> Bool {
    let stop = try Wakeup()
    while try stop.poll([watcher.descriptor], until: deadline) == .ready {
      if watcher.takeChange() { return true }
    }
    return false
  }

  @Test(arguments: [
    ["link set lo up"], ["link add one type veth peer name other"],
    ["link set lo up", "address add 192.0.2.1/32 dev lo"],
    ["link set lo up", "route add 192.0.2.0/24 dev lo"],
  ])
  func `changes of a link, an address or a route are reported`(commands: [String]) throws {
    let isTold = try NetworkNamespace.run {
      for command in commands.dropLast() { try NetworkNamespace.ip(command) }
      let watcher = try NetworkWatcher()
      try NetworkNamespace.ip(commands[commands.count - 1])
      return try Self.awaitChange(watcher, until: generousDeadline)
    }
    #expect(isTold)
  }

  @Test func `the watcher is silent without changes, and reports simultaneous ones once`() throws {
    let counts = try NetworkNamespace.run {
      let watcher = try NetworkWatcher()
      let early = try Self.awaitChange(watcher, until: .now + .milliseconds(100))
      try NetworkNamespace.ip("link set lo up")
      let first = try Self.awaitChange(watcher, until: generousDeadline)
      return [early, first, try Self.awaitChange(watcher, until: .now + .milliseconds(100))]
    }
    #expect(counts == [false, true, false])
  }

  @Test func `the watcher reports to its thread until it is stopped`() throws {
    let isTold = try NetworkNamespace.run {
      let watcher = try NetworkWatcher()
      let stop = try Wakeup()
      let changes = Locked(0)
      let thread = try WorkerThread(name: "network") {
        try? watcher.watch(until: stop) {
          changes.withLock { $0 += 1 }
          stop.signal()
        }
      }
      try NetworkNamespace.ip("link set lo up")
      let isStopped = stop.wait(until: generousDeadline)
      stop.signal()
      thread.join()
      return isStopped && changes.withLock { $0 } == 1
    }
    #expect(isTold)
  }
}
