import HoldfastMediaModel
import Testing

@testable import HoldfastPlatform

@Suite struct IdleProcessorsTests {
  /// `/proc/stat` of two processors.
  private func times(user: Int, idle: Int, waiting: Int = 0) throws -> ProcessorTimes {
    let text =
      "cpu  \(user) 0 0 \(idle) \(waiting) 0 0 0 0 0\ncpu0 1 0 0 1 0 0 0 0 0 0\ncpu1 1 0 0 1\nintr 5\n"
    return try #require(ProcessorTimes(stat: text))
  }

  private func at(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: milliseconds * 1_000_000)
  }

  @Test func `what nobody uses is counted in processors, and waiting for a disk is no use`() throws {
    let before = try times(user: 100, idle: 1000)
    #expect(before.processors == 2)
    #expect(try times(user: 150, idle: 1100, waiting: 50).idle(since: before) == 1.5)
    #expect(before.idle(since: before) == nil)
  }

  @Test(arguments: ["", "cpu  1 2 3\n", "intr 1 2 3\n", "cpu  a b c d e f g h\n"])
  func `another text has no times`(text: String) {
    #expect(ProcessorTimes(stat: text) == nil)
  }

  @Test func `the last two seconds count`() throws {
    var idle = IdleProcessors()
    #expect(idle.count == 0)
    let readings: [(user: Int, idle: Int, at: Int64)] = [
      (0, 0, 0), (25, 25, 250), (100, 100, 1000), (100, 300, 2000), (100, 500, 3000),
    ]
    let counts = try readings.map { try idle.add(times(user: $0.user, idle: $0.idle), at: at($0.at)) }
    #expect(counts == [nil, nil, 1, 1.5, 2])
    #expect(idle.count == 2)
  }

  @Test func `this machine can be read`() {
    var idle = IdleProcessors()
    #expect(idle.read(at: at(0)) == nil && idle.count > 0)
  }
}
