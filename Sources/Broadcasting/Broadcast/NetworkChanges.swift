internal import HoldfastPlatform

/// Tells when a link, an address or a route has changed, from a thread of its own.
final class NetworkChanges: Sendable {
  private let stopSignal: Wakeup
  private let thread = ThreadSlot()

  init(_ onChange: @escaping @Sendable () -> Void) throws(SystemError) {
    let stopSignal = try Wakeup()
    let watcher = try NetworkWatcher()
    self.stopSignal = stopSignal
    try thread.start(name: "network") { try? watcher.watch(until: stopSignal, onChange: onChange) }
  }

  func stop() {
    stopSignal.signal()
    thread.join()
  }
}
