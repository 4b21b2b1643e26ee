import HoldfastPlatform

/// Records a signal to stop, so that the program can clean up first. A second one ends it at once.
final class InterruptSignal: Sendable {
  private let received = Locked<Int32?>(nil)
  private let isOver: Wakeup
  private let thread = ThreadSlot()

  init() throws(SystemError) {
    let signals = try Signals([Signals.interrupt, Signals.terminate, Signals.hangUp])
    isOver = try Wakeup()
    try thread.start(name: "signals") { [isOver, received] in
      while let number = try? signals.next(until: isOver) {
        if received.withLock({ $0 != nil }) { endProcess(afterSignal: number) }
        received.withLock { $0 = number }
      }
    }
  }

  var signal: Int32? { received.withLock { $0 } }

  func stop() {
    isOver.signal()
    thread.join()
  }
}
