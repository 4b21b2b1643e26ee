import Foundation
package import Testing

/// Runs each test on a thread of its own that yields to all others, one for each processor: what computes for long holds up
/// neither tests in real time, with the programs that they start, nor Swift's pool, where tests begin.
package struct Computing: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  private static let turns = Turns(ProcessInfo.processInfo.activeProcessorCount, onIdle: 0)

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    try await Self.turns.run(test, on: .yielding) { try await function() }
  }
}

extension Trait where Self == Computing {
  package static var computing: Self { Computing() }
}
