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
    #expect(idle.add(try times(user: 0, idle: 0), at: at(0)) == nil)
    #expect(idle.add(try times(user: 25, idle: 25), at: at(250)) == nil)
    #expect(idle.add(try times(user: 100, idle: 100), at: at(1000)) == 1)
    #expect(idle.add(try times(user: 100, idle: 300), at: at(2000)) == 1.5)
    #expect(idle.add(try times(user: 100, idle: 500), at: at(3000)) == 2)
    #expect(idle.count == 2)
  }

  @Test func `this machine can be read`() {
    var idle = IdleProcessors()
    #expect(idle.read(at: at(0)) == nil && idle.count > 0)
  }
}
