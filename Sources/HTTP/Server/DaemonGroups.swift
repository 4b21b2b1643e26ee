import HoldfastMediaModel
import HoldfastPlatform

/// The daemons that the loop serves: those of each socket, and retired ones, which end their connections.
struct DaemonGroups {
  private var groups: [[HTTPDaemon]]
  private var retired: [(daemon: HTTPDaemon, until: MonotonicTime)] = []

  /// For what a retired daemon's clients are still being sent.
  private static let drainTimeout = MediaTime.seconds(10)

  init(_ groups: [[HTTPDaemon]]) { self.groups = groups }

  var all: [HTTPDaemon] { groups.flatMap(\.self) + retired.map(\.daemon) }

  var descriptors: [Int32] { all.map(\.descriptor) }

  var deadline: MonotonicTime {
    let ends = all.map(\.deadline) + retired.map(\.until)
    return ends.min() ?? .now + .seconds(3600)
  }

  mutating func replace(_ group: Int, by daemons: [HTTPDaemon], at now: MonotonicTime) {
    for daemon in groups[group] {
      daemon.retire()
      retired.append((daemon, now + Self.drainTimeout))
    }
    for (daemon, predecessor) in zip(daemons, groups[group]) { daemon.follow(predecessor) }
    groups[group] = daemons
  }

  mutating func stopRetired(at now: MonotonicTime) {
    retired.removeAll { daemon, until in
      guard !daemon.isBusy || now >= until else { return false }
      daemon.stop()
      return true
    }
  }
}
