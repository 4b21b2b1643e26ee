import HoldfastCSRT
import HoldfastMediaModel
import HoldfastPlatform

/// Waits for libsrt's sockets and a system descriptor, which the library polls only every 10 ms.
struct SRTPoll: ~Copyable {
  private let raw: Int32
  let descriptor: Int32?

  init(descriptor: Int32?) throws(SRTError) {
    try SRTLibrary.start()
    let raw = try check(srt_epoll_create(), "srt_epoll_create")
    do {
      // By default waiting for nothing is an error.
      try check(srt_epoll_set(raw, Int32(SRT_EPOLL_ENABLE_EMPTY.rawValue)), "srt_epoll_set")
      if let descriptor {
        var events = Int32(SRT_EPOLL_IN.rawValue)
        try check(srt_epoll_add_ssock(raw, descriptor, &events), "srt_epoll_add_ssock")
      }
    } catch {
      srt_epoll_release(raw)
      throw error
    }
    self.raw = raw
    self.descriptor = descriptor
  }

  deinit { srt_epoll_release(raw) }

  /// Also waits for the end of `socket`, and with `toWrite` until it is writable.
  func watch(_ socket: SRTSOCKET, toWrite: Bool) throws(SRTError) {
    let requested = toWrite ? SRT_EPOLL_OUT.rawValue | SRT_EPOLL_ERR.rawValue : SRT_EPOLL_ERR.rawValue
    var events = Int32(requested)
    try check(srt_epoll_update_usock(raw, socket, &events), "srt_epoll_update_usock")
  }

  func wait(until deadline: MonotonicTime) throws(SRTError) -> Bool {
    let left = max(0, (deadline - .now).nanoseconds)
    var sockets = [SRTSOCKET](repeating: SRT_INVALID_SOCK, count: 8)
    var descriptors = [Int32](repeating: -1, count: 1)
    var socketCount = Int32(sockets.count)
    var descriptorCount = Int32(descriptors.count)
    // Rounded up, so that a wait never ends just before its deadline.
    let status = srt_epoll_wait(
      raw, nil, nil, &sockets, &socketCount, (left + 999_999) / 1_000_000, &descriptors, &descriptorCount,
      nil, nil)
    if status >= 0 { return descriptorCount > 0 }
    let error = SRTError.last("srt_epoll_wait")
    guard error.isTemporary else { throw error }
    return false
  }
}
