internal import Glibc
internal import HoldfastCPlatform
internal import HoldfastMediaModel

/// Waits until one of `entries` has something to tell, or the time is over: how many have.
func poll(_ entries: inout [pollfd], until deadline: MonotonicTime?) throws(SystemError) -> Int {
  while true {
    var result: Int32
    if let deadline {
      let left = max(0, deadline.nanoseconds - MonotonicTime.now.nanoseconds)
      var time = timespec(tv_sec: Int(left / 1_000_000_000), tv_nsec: Int(left % 1_000_000_000))
      result = ppoll(&entries, nfds_t(entries.count), &time, nil)
    } else {
      result = ppoll(&entries, nfds_t(entries.count), nil, nil)
    }
    if result >= 0 { return Int(result) }
    if cp_errno() != EINTR { throw .last("poll") }
  }
}
