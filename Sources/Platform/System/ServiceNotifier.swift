internal import Glibc
internal import HoldfastCPlatform
package import HoldfastMediaModel

/// Notifies the service manager, where one listens (`$NOTIFY_SOCKET`).
///
/// Unlike libsystemd's sd_notify it fails after a second when the manager is busy.
package struct ServiceNotifier: Sendable {
  private let address: UnixSocketAddress?

  package init(environment: [String: String]) {
    address = environment["NOTIFY_SOCKET"].flatMap { UnixSocketAddress($0) }
  }

  /// False where the process was not started by a service manager; notifications are then discarded.
  package var isConnected: Bool { address != nil }

  /// Sends everything in one message.
  package func notify(_ news: ServiceNews...) throws(SystemError) {
    try notify(news, until: .now + .seconds(1))
  }

  func notify(_ news: [ServiceNews], until deadline: MonotonicTime) throws(SystemError) {
    guard let address else { return }
    let message = Array(news.map(\.line).joined(separator: "\n").utf8)
    let socket = FileDescriptor(owning: try check("socket") { Glibc.socket(AF_UNIX, cp_SOCK_DGRAM, 0) })
    // Only of a connected socket does `poll` know whether the other side has room.
    try check("connect \(address)") { address.withPointer { connect(socket.raw, $0, $1) } }
    while true {
      do throws(SystemError) {
        try check("notify \(address)") { send(socket.raw, message, message.count, cp_MSG_NOSIGNAL) }
        return
      } catch {
        guard error.code == EAGAIN, MonotonicTime.now < deadline else { throw error }
        var entries = [pollfd(fd: socket.raw, events: Int16(POLLOUT), revents: 0)]
        _ = try poll(&entries, until: deadline)
      }
    }
  }
}

/// A line of a notification.
package enum ServiceNews: Hashable, Sendable {
  /// The start or a reload has finished.
  case ready
  /// The text in `systemctl status`.
  case status(String)
  /// A reload has begun; `ready` must follow.
  case reloading(since: MonotonicTime)
  case stopping
  /// Feeds the watchdog.
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
