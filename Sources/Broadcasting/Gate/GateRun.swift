import HoldfastMediaModel
import HoldfastPlatform

/// One question to several gates, asked concurrently, each on a thread of its own. They pass if all do; the first
/// refusal counts at once, and cancels the others.
final class GateRun: Sendable {
  enum Report: Sendable {
    /// Every gate is running.
    case began
    case passed
    case refused(GateError)
  }

  private struct State: Sendable {
    var isRefused = false
    var isCancelled = false
    var tasks: [Task<Void, Never>] = []
    var ends: [Promise<Void>] = []
  }

  private let state = Locked(State())
  private let begins: Countdown
  private let passes: Countdown
  private let report: @Sendable (Report) -> Void

  init(_ gates: Int, report: @escaping @Sendable (Report) -> Void) {
    begins = Countdown(gates) { report(.began) }
    passes = Countdown(gates) { report(.passed) }
    self.report = report
  }

  func start(_ gate: any GoLiveGate, about broadcast: BroadcastInfo) {
    let executor: GateExecutor
    do { executor = try GateExecutor() } catch { return refuse(error) }
    let end = Promise<Void>()
    let task = Task(executorPreference: executor) { [self] in
      begins.arrive()
      do {
        try await gate.authorize(broadcast)
        passes.arrive()
      } catch {
        refuse(error)
      }
      executor.finish()
      end.fulfil(())
    }
    let isLate = state.withLock { state in
      state.tasks.append(task)
      state.ends.append(end)
      return state.isCancelled
    }
    if isLate { task.cancel() }
  }

  func cancel() {
    let tasks = state.withLock { state in
      state.isCancelled = true
      // A gate that starts later is cancelled by `start`.
      defer { state.tasks = [] }
      return state.tasks
    }
    for task in tasks { task.cancel() }
  }

  /// Waits for the gates to return.
  func wait(until deadline: MonotonicTime) {
    for end in state.withLock({ $0.ends }) { _ = end.take(until: deadline) }
  }

  private func refuse(_ error: any Error) {
    let isFirst = state.withLock { state in
      defer { state.isRefused = true }
      return !state.isRefused
    }
    guard isFirst else { return }
    report(.refused(GateError(.refused, underlying: error)))
    cancel()
  }
}

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
