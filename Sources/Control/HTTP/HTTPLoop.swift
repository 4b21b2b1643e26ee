import HoldfastMediaModel
import HoldfastPlatform

/// The loop of the server's thread: polls all sockets and serves them.
struct HTTPLoop: Sendable {
  let daemons: [HTTPDaemon]
  let wakeup: Wakeup

  /// For responses to requests received before the stop.
  private static let drainTimeout = MediaTime.milliseconds(500)

  func run(until stop: Wakeup) {
    let descriptors = [wakeup.descriptor] + daemons.map(\.descriptor)
    while let outcome = try? stop.poll(descriptors, until: deadline), outcome != .signalled { serve() }
    finish()
  }

  private func serve() {
    let isSignalled = wakeup.clear()
    for daemon in daemons { daemon.serve(isSignalled: isSignalled) }
  }

  private var deadline: MonotonicTime { daemons.map(\.deadline).min() ?? .now + .seconds(3600) }

  private func finish() {
    for daemon in daemons { daemon.finishStreams() }
    let end = MonotonicTime.now + Self.drainTimeout
    var poller = Poller()
    for daemon in daemons { poller.add(daemon.descriptor) }
    while daemons.contains(where: \.isBusy), .now < end,
      (try? poller.wait(until: min(end, deadline))) != nil
    {
      serve()
    }
    for daemon in daemons { daemon.stop() }
  }
}
