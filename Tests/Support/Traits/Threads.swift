import Foundation

/// Threads for jobs that run at the same time. Idle ones are kept for the next job.
package final class Threads: TaskExecutor {
  /// One for each job, for tests that block.
  static let shared = Threads()
  /// The same, for tests that compute for long.
  static let yielding = Threads(niceness: 10)
  /// For all other tests. Swift's pool has as many as there are processors, so that a few tests that wait there would hold
  /// up the start of all later ones.
  package static let few = Threads(at: 6)

  private let niceness: CInt
  private let condition = NSCondition()
  // The condition guards the rest.
  private nonisolated(unsafe) var jobs: [UnownedJob] = []
  private nonisolated(unsafe) var idle = 0
  private nonisolated(unsafe) var left: Int

  private init(at most: Int = .max, niceness: CInt = 0) { (left, self.niceness) = (most, niceness) }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    condition.withLock {
      jobs.append(job)
      if idle >= jobs.count || left == 0 {
        condition.signal()
      } else {
        left -= 1
        Thread.detachNewThread { [self] in run() }
      }
    }
  }

  private func run() {
    // Linux counts it for the thread.
    if niceness != 0 { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness) }
    while true {
      let job = condition.withLock {
        idle += 1
        while jobs.isEmpty { condition.wait() }
        idle -= 1
        return jobs.removeFirst()
      }
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
