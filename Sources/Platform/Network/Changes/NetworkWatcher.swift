import Glibc
import HoldfastCPlatform
import HoldfastMediaModel

/// Reports changes of links, addresses and routes; changes within `settling` are reported once.
package final class NetworkWatcher: Sendable {
  private let messages: FileDescriptor
  private let timer: FileDescriptor
  private let either: FileDescriptor
  private let state = Locked(NetworkState())

  private static let settling = MediaTime.milliseconds(50)

  package init() throws(SystemError) {
    messages = FileDescriptor(
      owning: try check("socket(NETLINK_ROUTE)") { socket(AF_NETLINK, cp_SOCK_RAW, NETLINK_ROUTE) })
    timer = FileDescriptor(
      owning: try check("timerfd_create") { timerfd_create(CLOCK_MONOTONIC, cp_TFD_NONBLOCK_CLOEXEC) })
    either = FileDescriptor(owning: try check("epoll_create") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
    var address = sockaddr_nl()
    address.nl_family = sa_family_t(AF_NETLINK)
    address.nl_groups = UInt32(
      RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE)
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(messages.raw, $0, socklen_t(MemoryLayout<sockaddr_nl>.size))
      }
    }
    try check("bind(NETLINK_ROUTE)") { bound }
    for raw in [messages.raw, timer.raw] {
      var event = epoll_event()
      event.events = EPOLLIN.rawValue
      try check("epoll_ctl") { epoll_ctl(either.raw, EPOLL_CTL_ADD, raw, &event) }
    }
  }

  /// Readable when `takeChange` should be called.
  package var descriptor: Int32 { either.raw }

  /// Whether the network has changed and settled since the last call.
  package func takeChange() -> Bool {
    var expirations: UInt64 = 0
    let isSettled = read(timer.raw, &expirations, MemoryLayout<UInt64>.size) > 0
    if hasNews() { startTimer() }
    return isSettled
  }

  package func watch(until stop: Wakeup, onChange: () -> Void) throws(SystemError) {
    while true {
      switch try stop.poll([descriptor], until: .now + .seconds(3600)) {
      case .signalled: return
      case .ready: if takeChange() { onChange() }
      case .timedOut: break
      }
    }
  }

  /// Reads all pending messages; true if any is a change.
  private func hasNews() -> Bool {
    var isChanged = false
    var bytes = [UInt8](repeating: 0, count: 32768)
    while true {
      let count = recv(messages.raw, &bytes, bytes.count, 0)
      if count < 0 {
        let code = cp_errno()
        if code == EINTR { continue }
        if code == ENOBUFS {
          isChanged = true
          continue
        }
        return isChanged
      }
      let found = NetlinkMessage.parse(bytes.span.extracting(..<count))
      state.withLock { state in
        for message in found where state.isChange(message) { isChanged = true }
      }
    }
  }

  /// Starts the timer unless it is running, so that continuous changes are reported, too.
  private func startTimer() {
    var left = itimerspec()
    timerfd_gettime(timer.raw, &left)
    guard left.it_value.tv_sec == 0, left.it_value.tv_nsec == 0 else { return }
    left.it_value.tv_nsec = Int(Self.settling.nanoseconds)
    timerfd_settime(timer.raw, 0, &left, nil)
  }
}
