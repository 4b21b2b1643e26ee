package import Foundation
package import HoldfastPlatform

/// Calls a function repeatedly on a thread of its own.
package final class RepeatingThread: @unchecked Sendable {  // guarded by `condition`
  private let condition = NSCondition()
  private var isFinishing = false
  private var hasEnded = false

  package init(every interval: useconds_t, _ body: @escaping @Sendable () -> Void) {
    Thread { [self] in
      var isLast = false
      while !isLast {
        isLast = condition.withLock { isFinishing }
        body()
        if !isLast { usleep(interval) }
      }
      condition.withLock {
        hasEnded = true
        condition.broadcast()
      }
    }.start()
  }

  /// Stops the thread after one last call that begins after this one.
  package func finish() {
    condition.withLock {
      isFinishing = true
      while !hasEnded { condition.wait() }
    }
  }
}

/// Runs `body` with each number below `count` on a thread of its own, which is to be joined.
package func startThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) throws -> [ThreadSlot] {
  try (0..<count).map { number in
    let thread = ThreadSlot()
    try thread.start(name: "test-\(number)") { body(number) }
    return thread
  }
}
