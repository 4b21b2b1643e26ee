import Glibc
import HoldfastCPlatform
package import HoldfastMediaModel

/// Sends notifications to the service manager (`$NOTIFY_SOCKET`); fails after a second if it is busy.
package struct ServiceNotifier: Sendable {
  private let address: UnixSocketAddress?

  package init(environment: [String: String]) {
    address = environment["NOTIFY_SOCKET"].flatMap { UnixSocketAddress($0) }
  }

  /// False when not started by a service manager; notifications are then discarded.
  package var isConnected: Bool { address != nil }

  package func notify(_ news: ServiceNews...) throws(SystemError) {
    try notify(news, until: .now + .seconds(1))
  }

  func notify(_ news: [ServiceNews], until deadline: MonotonicTime) throws(SystemError) {
    guard let address else { return }
    let message = Array(news.map(\.line).joined(separator: "\n").utf8)
    let socket = FileDescriptor(owning: try check("socket") { Glibc.socket(AF_UNIX, cp_SOCK_DGRAM, 0) })
    // `poll` reports the receiver's room only for a connected socket.
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

/// An assignment in a notification.
package enum ServiceNews: Hashable, Sendable {
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
