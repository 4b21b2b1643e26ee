package import HoldfastMediaModel

/// What a service tells the service manager of itself; each is a line of the message.
package enum ServiceNews: Hashable, Sendable {
  /// The start, or the taking in of a changed configuration, is over.
  case ready
  /// What a person reads in `systemctl status`.
  case status(String)
  /// The configuration is being read again, since then; `ready` has to follow.
  case reloading(since: MonotonicTime)
  case stopping
  /// The watchdog's: it is alive.
  case alive

  var line: String {
    switch self {
    case .ready: "READY=1"
    // A line break would begin the next assignment.
    case .status(let text): "STATUS=" + String(text.map { $0.isNewline ? " " : $0 })
    case .reloading(let since): "RELOADING=1\nMONOTONIC_USEC=\(since.nanoseconds / 1000)"
    case .stopping: "STOPPING=1"
    case .alive: "WATCHDOG=1"
    }
  }
}
