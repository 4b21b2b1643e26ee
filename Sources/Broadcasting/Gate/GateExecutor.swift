import HoldfastPlatform

/// A thread for one gate: the gate runs even while every thread of the cooperative pool is blocked, and a gate
/// that blocks holds up nobody else.
final class GateExecutor: TaskExecutor {
  private let jobs = BoundedQueue<UnownedJob>(capacity: GateExecutor.maxJobs)

  private static let maxJobs = 256

  init() throws(SystemError) {
    let thread = try WorkerThread(name: "gate") { [self] in
      while let job = jobs.take() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
    // A gate that never returns can't be joined.
    thread.abandon()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if !jobs.offer(job) { globalConcurrentExecutor.enqueue(job) }
  }

  /// Ends the thread once the gate has returned.
  func finish() { jobs.close() }
}
