internal import Glibc
internal import HoldfastCPlatform
internal import HoldfastMediaModel

/// Tells the service manager how the service fares, where there is one that listens (`$NOTIFY_SOCKET`).
///
/// libsystemd's sd_notify waits for as long as the manager is busy, and reads the process's environment; this one gives
/// up after a second, and is told its environment.
package struct ServiceNotifier: Sendable {
  private let address: LocalSocketAddress?

  package init(environment: [String: String]) {
    address = environment["NOTIFY_SOCKET"].flatMap { LocalSocketAddress($0) }
  }

  /// False: everything that it is told goes nowhere.
  package var isHeard: Bool { address != nil }

  /// Sends it all in one message.
  package func tell(_ news: ServiceNews...) throws(SystemError) {
    try tell(news, until: .now + .seconds(1))
  }

  func tell(_ news: [ServiceNews], until deadline: MonotonicTime) throws(SystemError) {
    guard let address else { return }
    let message = Array(news.map(\.line).joined(separator: "\n").utf8)
    let socket = FileDescriptor(owning: try check("socket") { Glibc.socket(AF_UNIX, cp_SOCK_DGRAM, 0) })
    // Connected, because only then does `poll` know whether the other side has room.
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
