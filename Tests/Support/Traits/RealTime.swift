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
  fileprivate var limit = Duration.seconds(300)

  package var isRecursive: Bool { true }

  private static let turns =
    ProcessInfo.processInfo.environment["REAL_TIME_TESTS"].flatMap { Int($0) }.map { Turns($0, onIdle: 0) }
    ?? Turns(ProcessInfo.processInfo.activeProcessorCount > 1 ? 5 : 2, onIdle: 7)

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    try await Self.turns.run(test, taking: turns, first: startsFirst, on: .shared) {
      try await limited(function)
    }
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

extension Trait where Self == RealTime {
  package static var realTime: Self { RealTime() }
  package static var longRealTime: Self { RealTime(startsFirst: true) }
  /// For tests that keep a core busy: browsers, request generators, slow encoders.
  package static var busyRealTime: Self { RealTime(startsFirst: true, turns: 2, limit: .seconds(600)) }
}
