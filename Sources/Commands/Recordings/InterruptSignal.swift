import HoldfastPlatform

/// Records a signal to stop, so that the program can clean up first. A second one ends it at once.
final class InterruptSignal: Sendable {
  private let received = Locked<Int32?>(nil)
  private let thread: StoppableThread

  /// `wakeup` is signalled with the first signal.
  init(waking wakeup: Wakeup? = nil) throws(SystemError) {
    let signals = try Signals([Signals.interrupt, Signals.terminate, Signals.hangUp])
    thread = try StoppableThread(name: "signals") { [received] isOver in
      while let number = try? signals.next(until: isOver) {
        if received.withLock({ $0 != nil }) { endProcess(afterSignal: number) }
        received.withLock { $0 = number }
        wakeup?.signal()
      }
    }
  }

  var signal: Int32? { received.withLock { $0 } }

  func stop() { thread.stop() }
}
