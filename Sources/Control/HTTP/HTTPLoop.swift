internal import HoldfastMediaModel
internal import HoldfastPlatform

/// What the server's thread does: waits for any of its sockets, and serves them all.
struct HTTPLoop: Sendable {
  let daemons: [HTTPDaemon]
  let bell: ControlBell

  /// For those whose request has come when the server ends.
  private static let farewell = MediaTime.milliseconds(500)

  func run(until stop: Wakeup) {
    let descriptors = [bell.descriptor] + daemons.map(\.descriptor)
    while let outcome = try? stop.poll(descriptors, until: deadline), outcome != .signalled { serve() }
    finish()
  }

  private func serve() {
    let hasRung = bell.take()
    for daemon in daemons { daemon.serve(hasRung: hasRung) }
  }

  private var deadline: MonotonicTime { daemons.map(\.deadline).min() ?? .now + .seconds(3600) }

  private func finish() {
    for daemon in daemons { daemon.finishStreams() }
    let end = MonotonicTime.now + Self.farewell
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
