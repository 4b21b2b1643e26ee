package import HoldfastMediaModel
package import HoldfastPlatform

/// Sends notifications to the service manager (`$NOTIFY_SOCKET`); fails after a second if it is busy.
package struct ServiceNotifier: Sendable {
  private let address: UnixSocketAddress?

  package init(environment: [String: String]) {
    address = environment["NOTIFY_SOCKET"].flatMap { UnixSocketAddress($0) }
  }

  /// False when not started by a service manager; notifications are then discarded.
  package var isConnected: Bool { address != nil }

  package func notify(_ notifications: ServiceNotification...) throws(SystemError) {
    try notify(notifications, until: .now + .seconds(1))
  }

  func notify(_ notifications: [ServiceNotification], until deadline: MonotonicTime) throws(SystemError) {
    let message = Array(notifications.map(\.line).joined(separator: "\n").utf8)
    try address?.send(message, until: deadline)
  }
}

/// An assignment in a notification.
package enum ServiceNotification: Hashable, Sendable {
  case ready
  case status(String)
  /// A reload has started; `ready` must follow.
  case reloading(since: MonotonicTime)
  case stopping
  case alive

  var line: String {
    switch self {
    case .ready: "READY=1"
    // A line break would start another assignment.
    case .status(let text): "STATUS=" + String(text.map { $0.isNewline ? " " : $0 })
    case .reloading(let since): "RELOADING=1\nMONOTONIC_USEC=\(since.nanoseconds / 1000)"
    case .stopping: "STOPPING=1"
    case .alive: "WATCHDOG=1"
    }
  }
}
