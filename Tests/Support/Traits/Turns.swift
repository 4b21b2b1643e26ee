import Foundation
import Testing

/// Grants turns, preferred ones first, the others in an order that mixes the suites: some compute, others mostly wait. Beyond
/// `count`, it grants up to `onIdle` while processors are idle.
actor Turns {
  private let count: Int
  private let onIdle: Int
  /// Negative while turns beyond `count` are taken.
  private var free: Int
  private var waiting: [(turns: Int, place: UInt64, continuation: CheckedContinuation<Void, Never>)] = []
  private var isWatching = false

  init(_ count: Int, onIdle: Int) {
    (self.count, self.onIdle) = (count, onIdle)
    free = count
  }

  /// Runs a test on a thread of its own, once it has its turns. It waits for them outside of Swift's pool, which other tests
  /// may keep busy.
  nonisolated func run(
    _ test: Test, taking turns: Int = 1, first: Bool = false, on threads: Threads,
    _ body: @Sendable @concurrent () async throws -> Void
  ) async throws {
    Self.report("waits", test)
    try await withTaskExecutorPreference(threads) {
      await take(turns, at: first ? 0 : Self.place(of: test))
      Self.report("begins", test)
      let result: Result<Void, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      Self.report("ends", test)
      await giveBack(turns)
      try result.get()
    }
  }

  /// Where `.ci/test` reads which tests have a turn: Swift Testing reports a start before the wait for one.
  private static let reports = ProcessInfo.processInfo.environment["TEST_TURNS"].flatMap {
    FileHandle(forWritingAtPath: $0)
  }

  private static func report(_ change: String, _ test: Test) {
    let line = "\(ProcessInfo.processInfo.systemUptime) \(change) \(test.id)\n"
    try? reports?.write(contentsOf: Data(line.utf8))
  }

  /// The same in each run.
  private static func place(of test: Test) -> UInt64 {
    "\(test.id)".utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  private func take(_ turns: Int, at place: UInt64) async {
    await withCheckedContinuation { continuation in
      let index = waiting.firstIndex { $0.place > place } ?? waiting.endIndex
      waiting.insert((min(turns, count), place, continuation), at: index)
      handOut()
    }
  }

  private func giveBack(_ turns: Int) {
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
      try? await Task.sleep(for: .milliseconds(200))
      guard let next = waiting.first, next.turns <= free + onIdle, let now = ProcessorTime() else { continue }
      if now.idleShare(since: before) > 0.25 { start(next.turns) }
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
    // With the time of what yields, and that in which it waited for disks.
    idle = ticks[1] + ticks[3] + ticks[4]
  }

  func idleShare(since earlier: Self) -> Double {
    all > earlier.all ? (idle - earlier.idle) / (all - earlier.all) : 0
  }
}
