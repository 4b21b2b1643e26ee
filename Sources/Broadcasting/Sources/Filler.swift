internal import HoldfastPlatform

/// Runs what stands in for a device, on a thread of its own.
final class Filler<Taken: ~Copyable & Sendable, Shape: Sendable>: Sendable {
  private let stopSignal: Wakeup
  private let thread = ThreadSlot()

  init(_ source: FeedSource<Taken, Shape>, deliver: @escaping @Sendable (consuming Taken) -> Void) throws {
    let stopSignal = try Wakeup()
    self.stopSignal = stopSignal
    try thread.start(name: "stand-in") { try? source.run(stopSignal) { deliver($0) } }
  }

  func stop() {
    stopSignal.signal()
    thread.join()
  }
}
