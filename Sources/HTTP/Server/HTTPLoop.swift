import HoldfastMediaModel
import HoldfastPlatform

/// The loop of the server's thread: polls all sockets and serves them.
struct HTTPLoop: Sendable {
  /// The daemons of each unix socket or TCP port.
  let groups: [[HTTPDaemon]]
  /// Streams have something to send.
  let readable: Wakeup
  /// Deferred responses are there. Apart from the other, as a thousand streams cost far more to ask than one answer.
  let answered: Wakeup
  /// Called at least each second, to show that the loop makes progress.
  let progressed: (@Sendable () -> Void)?
  private let successors = Locked<[(group: Int, daemons: [HTTPDaemon])]>([])

  /// For responses to requests received before the stop.
  private static let drainTimeout = MediaTime.milliseconds(500)

  struct Signals: OptionSet {
    let rawValue: Int

    static let readable = Signals(rawValue: 1)
    static let answered = Signals(rawValue: 2)
  }

  /// From now on `daemons` accept the connections of a group. For any thread.
  func replace(group: Int, by daemons: [HTTPDaemon]) {
    successors.withLock { $0.append((group, daemons)) }
    answered.signal()
  }

  func run(until stop: Wakeup) {
    var daemons = DaemonGroups(groups)
    let signals = [readable.descriptor, answered.descriptor]
    while let outcome = try? stop.poll(signals + daemons.descriptors, until: deadline(of: daemons)),
      outcome != .signalled
    {
      serve(&daemons)
      progressed?()
    }
    finish(&daemons)
  }

  private func deadline(of daemons: DaemonGroups) -> MonotonicTime {
    progressed == nil ? daemons.deadline : min(daemons.deadline, .now + .seconds(1))
  }

  private func serve(_ daemons: inout DaemonGroups) {
    var signals: Signals = []
    if readable.clear() { signals.insert(.readable) }
    if answered.clear() { signals.insert(.answered) }
    let new = successors.withLock { successors in
      defer { successors = [] }
      return successors
    }
    for (group, successors) in new { daemons.replace(group, by: successors, at: .now) }
    for daemon in daemons.all { daemon.serve(signals) }
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
