internal import Glibc
internal import HoldfastCPlatform

/// Lets this process have at least `wanted` descriptors, where the system allows it: how many it may have now.
@discardableResult
package func raiseDescriptorLimit(to wanted: Int) -> Int {
  var limit = rlimit()
  guard getrlimit(cp_RLIMIT_NOFILE, &limit) == 0 else { return 1024 }
  let target = min(rlim_t(wanted), limit.rlim_max)
  if target > limit.rlim_cur {
    let before = limit.rlim_cur
    limit.rlim_cur = target
    if setrlimit(cp_RLIMIT_NOFILE, &limit) != 0 { limit.rlim_cur = before }
  }
  return Int(clamping: limit.rlim_cur)
}
