package import HoldfastMediaModel
package import HoldfastPlatform

/// Runs the user's command for each finished recording, one at a time and in order, on a thread of its own.
///
/// A file is announced before it is finished, so that its command runs at least once whatever happens in between.
/// Only the end of the program waits for the commands, with a time limit.
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
    /// Absolute.
    let path: String
    let broadcast: String
    /// The command may have run for the file before.
    var hasBegun = false
  }

  private struct Queue {
    /// Announced, but without success yet; each path once.
    var jobs: [Job] = []
    /// The paths whose command is to be run; one that was finished again is here again.
    var waiting: [String] = []
    /// When the program ends, even with jobs left.
    var endsAt: MonotonicTime?

    mutating func announce(_ job: Job) {
      if !jobs.contains(where: { $0.path == job.path }) { jobs.append(job) }
    }

    mutating func takeNext() -> Job? {
      guard !waiting.isEmpty else { return nil }
      let path = waiting.removeFirst()
      return jobs.first { $0.path == path }
    }

    mutating func began(_ path: String) {
      if let index = jobs.firstIndex(where: { $0.path == path }) { jobs[index].hasBegun = true }
    }

    mutating func succeeded(_ path: String) {
      if !waiting.contains(path) { jobs.removeAll { $0.path == path } }
    }
  }

  private let settings: SegmentHookSettings
  private let ledger: SegmentHookLedger?
  private let report: @Sendable (Event) -> Void
  private let queue = Locked(Queue())
  private let wakeup: Wakeup
  private let thread = ThreadSlot()

  package init(_ settings: SegmentHookSettings, report: @escaping @Sendable (Event) -> Void)
    throws(SystemError)
  {
    self.settings = settings
    self.report = report
    wakeup = try Wakeup()
    if let path = settings.ledger { queue.withLock { $0.jobs = SegmentHookLedger.jobs(in: path) } }
    ledger = try settings.ledger.map { [queue] (path) throws(SystemError) in
      try SegmentHookLedger(
        path: path, jobs: { queue.withLock { $0.jobs } }, report: { report(.ledgerFailed($0)) })
    }
  }

  /// Starts with what earlier processes left: the command of each file that `isFinished`. A `resumed` file waits for its
  /// end, the others are forgotten.
  package func begin(keeping resumed: String? = nil, isFinished: (String) -> Bool = { _ in true })
    throws(SystemError)
  {
    let left = queue.withLock { $0.jobs.map(\.path) }
    let finished = Set(left.filter { $0 != resumed && isFinished($0) })
    queue.withLock { queue in
      queue.jobs.removeAll { left.contains($0.path) && $0.path != resumed && !finished.contains($0.path) }
      let paths = queue.jobs.map(\.path).filter { finished.contains($0) && !queue.waiting.contains($0) }
      queue.waiting.insert(contentsOf: paths, at: 0)
    }
    try thread.start(name: "segment-hook") { [self] in run() }
  }

  /// Returns once it is on disk that `path` will need the command; to be called before the file is finished.
  package func announce(path: String, broadcast: String) {
    queue.withLock { $0.announce(Job(path: path, broadcast: broadcast)) }
    ledger?.save()
  }

  /// Queues the command for a finished file.
  package func offer(path: String, broadcast: String) {
    let isAccepted = queue.withLock { queue in
      queue.announce(Job(path: path, broadcast: broadcast))
      guard queue.waiting.count < settings.maxQueue else { return false }
      queue.waiting.append(path)
      return true
    }
    if !isAccepted { report(.notRun(path: path)) }
    wakeup.signal()
  }

  /// Files for which the command has not succeeded yet; they must be kept.
  package var unfinished: [String] { queue.withLock { $0.jobs.map(\.path) } }

  /// Blocks until all jobs are done, but not longer than `time`.
  package func finish(within time: MediaTime) {
    queue.withLock { $0.endsAt = .now + time }
    wakeup.signal()
    thread.join()
    ledger?.save()
    ledger?.finish()
  }

  private var endsAt: MonotonicTime? { queue.withLock { $0.endsAt } }
  private var isOver: Bool { endsAt.map { $0 <= .now } ?? false }

  private func run() {
    while let job = next() { perform(job) }
    for path in queue.withLock({ $0.waiting }) { report(.notRun(path: path)) }
  }

  private func next() -> Job? {
    while !isOver {
      let (job, ends) = queue.withLock { queue in (queue.takeNext(), queue.endsAt != nil) }
      if job != nil || ends { return job }
      wakeup.wait()
      wakeup.clear()
    }
    return nil
  }

  private func perform(_ job: Job) {
    var job = job
    for delay in settings.delays.map(Optional.some) + [nil] {
      defer { job.hasBegun = true }
      switch attempt(job) {
      case .succeeded:
        queue.withLock { $0.succeeded(job.path) }
        ledger?.save()
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

  private func mayWait(_ time: MediaTime) -> Bool { endsAt.map { .now + time <= $0 } ?? true }

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
    queue.withLock { $0.began(job.path) }
    ledger?.save()
    do throws(SystemError) {
      let child = try ChildProcess(settings.childCommand(for: job))
      let limit = MonotonicTime.now + settings.limit
      while true {
        switch try child.wait(until: min(limit, endsAt ?? limit), or: wakeup.descriptor) {
        case .ended(.exited(0)): return .succeeded
        case .ended(let ending): return .failed(Self.reason(ending, child.lastLine))
        case .woken: wakeup.clear()
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
}
