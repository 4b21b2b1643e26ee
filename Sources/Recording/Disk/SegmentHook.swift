package import HoldfastMediaModel
package import HoldfastPlatform

/// Runs the user's command for each finished recording, one at a time and in order, on a thread of its own.
///
/// Only the end of the program waits for it, with a time limit.
package final class SegmentHook: Sendable {
  package enum Event: Hashable, Sendable {
    case succeeded(path: String)
    case failed(path: String, reason: String, retryIn: MediaTime)
    /// All attempts failed; the recording is kept.
    case gaveUp(path: String, reason: String)
    /// The program ends while the command is still running.
    case leftRunning(path: String)
    /// The program ends before the command was run, or the queue is full.
    case notRun(path: String)
    /// The ledger cannot be written.
    case ledgerFailed(SystemError)
  }

  struct Job: Hashable, Sendable {
    let path: String
    let broadcast: String
  }

  private struct Queue {
    var waiting: [Job] = []
    var unfinished: [Job] = []
    /// When the program ends, even with jobs left.
    var endsAt: MonotonicTime?
  }

  private let settings: SegmentHookSettings
  private let ledger: SegmentHookLedger?
  private let report: @Sendable (Event) -> Void
  private let queue: Locked<Queue>
  private let wakeup: Wakeup
  private let thread = ThreadSlot()

  package init(_ settings: SegmentHookSettings, report: @escaping @Sendable (Event) -> Void)
    throws(SystemError)
  {
    self.settings = settings
    self.report = report
    ledger = settings.ledger.map { SegmentHookLedger(path: $0) }
    let unfinished = ledger?.load() ?? []
    queue = Locked(Queue(waiting: unfinished, unfinished: unfinished))
    wakeup = try Wakeup()
    try thread.start(name: "segment-hook") { [self] in run() }
  }

  /// Queues the command for a finished file.
  package func offer(path: String, broadcast: String) {
    let job = Job(path: path, broadcast: broadcast)
    let isAccepted = queue.withLock { queue in
      queue.unfinished.append(job)
      guard queue.waiting.count < settings.maxQueue else { return false }
      queue.waiting.append(job)
      return true
    }
    if !isAccepted { report(.notRun(path: path)) }
    wakeup.signal()
  }

  /// Files for which the command has not succeeded yet; they must be kept.
  package var unfinished: [String] { queue.withLock { $0.unfinished.map(\.path) } }

  /// Blocks until all jobs are done, but not longer than `time`.
  package func finish(within time: MediaTime) {
    queue.withLock { $0.endsAt = .now + time }
    wakeup.signal()
    thread.join()
  }

  private var endsAt: MonotonicTime? { queue.withLock { $0.endsAt } }
  private var isOver: Bool { endsAt.map { $0 <= .now } ?? false }

  private func run() {
    while let job = next() { perform(job) }
    saveLedger()
    for job in queue.withLock({ $0.waiting }) { report(.notRun(path: job.path)) }
  }

  private func next() -> Job? {
    while true {
      saveLedger()
      let (job, ends) = queue.withLock { queue in
        (queue.waiting.isEmpty ? nil : queue.waiting.removeFirst(), queue.endsAt != nil)
      }
      if let job {
        guard isOver else { return job }
        queue.withLock { $0.waiting.insert(job, at: 0) }
        return nil
      }
      if ends { return nil }
      wakeup.wait()
      wakeup.clear()
    }
  }

  private func perform(_ job: Job) {
    for delay in settings.delays.map(Optional.some) + [nil] {
      switch attempt(job) {
      case .succeeded:
        // The same file may be queued twice.
        queue.withLock { queue in
          if let index = queue.unfinished.firstIndex(of: job) { queue.unfinished.remove(at: index) }
        }
        return report(.succeeded(path: job.path))
      case .leftRunning:
        return report(.leftRunning(path: job.path))
      case .failed(let reason):
        guard let delay, mayWait(delay) else { return report(.gaveUp(path: job.path, reason: reason)) }
        report(.failed(path: job.path, reason: reason, retryIn: delay))
        guard wait(delay) else { return report(.gaveUp(path: job.path, reason: reason)) }
      }
    }
  }

  private func mayWait(_ time: MediaTime) -> Bool {
    endsAt.map { .now + time <= $0 } ?? true
  }

  private func wait(_ time: MediaTime) -> Bool {
    let due = MonotonicTime.now + time
    while .now < due {
      guard endsAt.map({ due <= $0 }) ?? true else { return false }
      wakeup.wait(until: due)
      wakeup.clear()
    }
    return true
  }

  private enum Attempt {
    case succeeded, leftRunning
    case failed(String)
  }

  private func attempt(_ job: Job) -> Attempt {
    do throws(SystemError) {
      let child = try ChildProcess(settings.childCommand(for: job))
      let limit = MonotonicTime.now + settings.limit
      while true {
        switch try child.wait(until: min(limit, endsAt ?? limit), or: wakeup.descriptor) {
        case .ended(.exited(0)): return .succeeded
        case .ended(let ending): return .failed(Self.reason(ending, child.lastLine))
        case .woken:
          wakeup.clear()
          saveLedger()
        case .timedOut:
          if isOver { return .leftRunning }
          try child.end()
          return .failed("it took longer than \(settings.limit)")
        }
      }
    } catch {
      return .failed("\(error)")
    }
  }

  private static func reason(_ ending: ChildProcess.Ending, _ line: String?) -> String {
    let what =
      switch ending {
      case .exited(let status): "exit status \(status)"
      case .killed(let signal): "killed by signal \(signal)"
      }
    return line.map { "\(what): \($0.prefix(200))" } ?? what
  }

  private func saveLedger() {
    guard let ledger else { return }
    do {
      try ledger.save(queue.withLock { $0.unfinished })
    } catch {
      report(.ledgerFailed(error))
    }
  }
}
