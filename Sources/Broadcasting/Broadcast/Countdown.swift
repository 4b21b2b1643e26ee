import HoldfastPlatform

/// Calls `end` once everything that is waited for has arrived.
final class Countdown: Sendable {
  private let missing: Locked<Int>
  private let end: @Sendable () -> Void

  init(_ count: Int, end: @escaping @Sendable () -> Void) {
    missing = Locked(count)
    self.end = end
  }

  func arrive() {
    let isLast = missing.withLock { missing in
      missing -= 1
      return missing == 0
    }
    if isLast { end() }
  }
}
