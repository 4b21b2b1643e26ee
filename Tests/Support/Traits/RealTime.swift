internal import Foundation
package import Testing

/// Gives each test a thread of its own, on which it may block, and lets only so many run at once.
///
/// Without it, tests that wait hold the threads of Swift's pool, of which there are as many as there are cores. A time
/// limit counts from before the wait for a turn.
package struct RealTime: SuiteTrait, TestTrait, TestScoping {
  /// Those that take long come first: what begins last decides when all are through.
  fileprivate let comesFirst: Bool

  package var isRecursive: Bool { true }

  /// They wait more than they compute; more of them at once make each other late.
  private static let turns = Turns(
    ProcessInfo.processInfo.environment["REAL_TIME_TESTS"].flatMap { Int($0) } ?? 2)

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    await Self.turns.take(comesFirst: comesFirst)
    let result: Result<Void, any Error>
    do {
      result = .success(try await withTaskExecutorPreference(NewThreads()) { try await function() })
    } catch {
      result = .failure(error)
    }
    await Self.turns.giveBack()
    try result.get()
  }
}

extension Trait where Self == RealTime {
  package static var realTime: Self { RealTime(comesFirst: false) }
  package static var longRealTime: Self { RealTime(comesFirst: true) }
}

private final class NewThreads: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread.detachNewThread { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}

private actor Turns {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) {
    free = count
  }

  func take(comesFirst: Bool) async {
    guard free == 0 else {
      free -= 1
      return
    }
    await withCheckedContinuation { waiting.insert($0, at: comesFirst ? 0 : waiting.endIndex) }
  }

  func giveBack() {
    if waiting.isEmpty {
      free += 1
    } else {
      waiting.removeFirst().resume()
    }
  }
}
