import Foundation
package import Testing

/// Runs each test on a thread of its own, so that it may block, and limits how many run at once.
///
/// Blocking tests would otherwise exhaust Swift's pool, which has a thread for each core.
package struct RealTime: SuiteTrait, TestTrait, TestScoping {
  /// Long tests start first, since the last to finish determines the length of the run.
  fileprivate var startsFirst = false
  /// More than one for a CPU-bound test.
  fileprivate var turns = 1
  /// The time limit, excluding the wait for a turn.
  fileprivate var limit = Duration.seconds(120)

  package var isRecursive: Bool { true }

  private static let turns =
    ProcessInfo.processInfo.environment["REAL_TIME_TESTS"].flatMap { Int($0) }.map { Turns($0, onIdle: 0) }
    ?? Turns(5, onIdle: 5)

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    await Self.turns.take(turns, first: startsFirst)
    let result: Result<Void, any Error>
    do {
      result = .success(try await withTaskExecutorPreference(Threads.shared) { try await limited(function) })
    } catch {
      result = .failure(error)
    }
    await Self.turns.giveBack(turns)
    try result.get()
  }

  private func limited(_ function: @Sendable @concurrent () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask {
        try await Task.sleep(for: limit)
        Issue.record("the test took longer than \(limit.components.seconds) seconds")
      }
      try await function()
    }
  }
}

/// Whether tests that keep the machine busy for minutes run, too.
package let longTestsRun = ProcessInfo.processInfo.environment["LONG_TESTS"] != nil

extension Trait where Self == ConditionTrait {
  package static var long: Self { .enabled(if: longTestsRun, "make test-long runs it") }
}

extension Trait where Self == RealTime {
  package static var realTime: Self { RealTime() }
  package static var longRealTime: Self { RealTime(startsFirst: true) }
  /// For tests that keep a core busy: browsers, request generators, slow encoders.
  package static var busyRealTime: Self { RealTime(startsFirst: true, turns: 2, limit: .seconds(300)) }
}

/// A thread for each job that runs at the same time. Idle threads are kept for the next job.
private final class Threads: TaskExecutor {
  static let shared = Threads()

  private let condition = NSCondition()
  private nonisolated(unsafe) var jobs: [UnownedJob] = []
  private nonisolated(unsafe) var idle = 0

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    condition.withLock {
      jobs.append(job)
      if idle >= jobs.count { condition.signal() } else { Thread.detachNewThread { [self] in run() } }
    }
  }

  private func run() {
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

/// Grants turns in order of arrival, preferred ones first. Beyond `count`, it grants up to `onIdle` while processors are idle.
private actor Turns {
  private let count: Int
  private let onIdle: Int
  /// Negative while turns beyond `count` are taken.
  private var free: Int
  private var waiting: [(turns: Int, continuation: CheckedContinuation<Void, Never>)] = []
  private var isWatching = false

  init(_ count: Int, onIdle: Int) {
    (self.count, self.onIdle) = (count, onIdle)
    free = count
  }

  func take(_ turns: Int, first: Bool) async {
    await withCheckedContinuation {
      waiting.insert((min(turns, count), $0), at: first ? 0 : waiting.endIndex)
      handOut()
    }
  }

  func giveBack(_ turns: Int) {
    free += min(turns, count)
    handOut()
  }

  private func handOut() {
    while let next = waiting.first, next.turns <= free { start(next.turns) }
    guard onIdle > 0, !isWatching, !waiting.isEmpty else { return }
    isWatching = true
    Task { await watch() }
  }

  private func start(_ turns: Int) {
    free -= turns
    waiting.removeFirst().continuation.resume()
  }

  /// Starts one more at a time, as each needs a while until it keeps the machine busy.
  private func watch() async {
    while let before = ProcessorTime(), !waiting.isEmpty {
      try? await Task.sleep(for: .milliseconds(500))
      guard let next = waiting.first, next.turns <= free + onIdle, let now = ProcessorTime() else { continue }
      if now.idleShare(since: before) > 0.3 { start(next.turns) }
    }
    isWatching = false
  }
}

/// What the machine's processors have done, in ticks.
private struct ProcessorTime {
  private let all: Double
  private let idle: Double

  init?() {
    guard let text = try? String(contentsOfFile: "/proc/stat", encoding: .utf8),
      let line = text.split(separator: "\n").first
    else { return nil }
    let ticks = line.split(separator: " ").dropFirst().compactMap { Double($0) }
    guard ticks.count >= 8 else { return nil }
    all = ticks.prefix(8).reduce(0, +)
    // With the time in which it waited for disks.
    idle = ticks[3] + ticks[4]
  }

  func idleShare(since earlier: Self) -> Double {
    all > earlier.all ? (idle - earlier.idle) / (all - earlier.all) : 0
  }
}
