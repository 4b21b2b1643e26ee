package import HoldfastPlatform

/// Tells a server from any thread that some streams may have something to send. Rings before it looks count as one.
package final class ControlBell: Sendable {
  private let wakeup: Wakeup
  private let hasRung = Locked(false)

  package init() throws(SystemError) {
    wakeup = try Wakeup()
  }

  package func ring() {
    let isFirst = hasRung.withLock { hasRung in
      defer { hasRung = true }
      return !hasRung
    }
    if isFirst { wakeup.signal() }
  }

  /// True when it has rung since the last time.
  func take() -> Bool {
    hasRung.withLock { hasRung in
      guard hasRung else { return false }
      hasRung = false
      // Within the lock, so that no ring after this one is cleared with it.
      wakeup.clear()
      return true
    }
  }

  var descriptor: Int32 { wakeup.descriptor }
}
