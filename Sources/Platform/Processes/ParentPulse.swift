import Glibc
package import HoldfastMediaModel

/// A sign of life that a child gets from its parent on its standard input. A parent that is frozen is as silent as one that
/// has ended.
package enum ParentPulse {
  private static let interval = MediaTime.milliseconds(500)

  /// Sends it to a child that has an input, until the thread is stopped.
  package static func start(for child: ChildProcess) throws(SystemError) -> StoppableThread {
    let input = child.takeInput()
    return try StoppableThread(name: "pulse") { isOver in
      // A child that takes nothing is alive or not for others to judge.
      repeat { try? input?.write([0]) } while !isOver.wait(until: .now + interval)
    }
  }

  /// For the child: waits until nothing has come for `silence`, or nothing will ever. False if it is `stop` that ends the wait.
  package static func isLost(after silence: MediaTime, unless stop: Wakeup) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 64)
    while true {
      switch try? stop.poll([STDIN_FILENO], until: .now + silence) {
      case .signalled: return false
      case .ready where read(STDIN_FILENO, &bytes, bytes.count) > 0: continue
      case .ready, .timedOut, nil: return true
      }
    }
  }
}
