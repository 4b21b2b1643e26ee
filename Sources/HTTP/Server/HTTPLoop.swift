import HoldfastMediaModel
import HoldfastPlatform

/// The loop of the server's thread: polls all sockets and serves them.
struct HTTPLoop: Sendable {
  /// The daemons of each unix socket or TCP port.
  let groups: [[HTTPDaemon]]
  let wakeup: Wakeup
  private let successors = Locked<[(group: Int, daemons: [HTTPDaemon])]>([])

  /// For responses to requests received before the stop.
  private static let drainTimeout = MediaTime.milliseconds(500)

  init(groups: [[HTTPDaemon]], wakeup: Wakeup) {
    self.groups = groups
    self.wakeup = wakeup
  }

  /// From now on `daemons` accept the connections of a group. For any thread.
  func replace(group: Int, by daemons: [HTTPDaemon]) {
    successors.withLock { $0.append((group, daemons)) }
    wakeup.signal()
  }

  func run(until stop: Wakeup) {
    var daemons = DaemonGroups(groups)
    while let outcome = try? stop.poll([wakeup.descriptor] + daemons.descriptors, until: daemons.deadline),
      outcome != .signalled
    {
      serve(&daemons)
    }
    finish(&daemons)
  }

  private func serve(_ daemons: inout DaemonGroups) {
    let isSignalled = wakeup.clear()
    let new = successors.withLock { successors in
      defer { successors = [] }
      return successors
    }
    for (group, successors) in new { daemons.replace(group, by: successors, at: .now) }
    for daemon in daemons.all { daemon.serve(isSignalled: isSignalled) }
    daemons.stopRetired(at: .now)
  }

  private func finish(_ daemons: inout DaemonGroups) {
    for daemon in daemons.all { daemon.finishStreams() }
    let end = MonotonicTime.now + Self.drainTimeout
    var poller = Poller()
    for descriptor in daemons.descriptors { poller.add(descriptor) }
    while daemons.all.contains(where: \.isBusy), .now < end,
      (try? poller.wait(until: min(end, daemons.deadline))) != nil
    {
      serve(&daemons)
    }
    for daemon in daemons.all { daemon.stop() }
  }
}
