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
      // The pipe of a child that is frozen fills up, which is no concern of its parent's pulse.
      repeat { try? input?.write([0]) } while !isOver.wait(until: .now + interval)
    }
  }

  /// For the child: waits until the parent has been silent for so long, or has ended; false if `stop` ends the wait.
  package static func waitForSilence(of length: MediaTime, or stop: Wakeup) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 64)
    while true {
      switch try? stop.poll([STDIN_FILENO], until: .now + length) {
      case .signalled: return false
      case .ready where read(STDIN_FILENO, &bytes, bytes.count) > 0: continue
      case .ready, .timedOut, nil: return true
      }
    }
  }
}
