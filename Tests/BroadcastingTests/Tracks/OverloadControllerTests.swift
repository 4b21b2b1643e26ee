import HoldfastMediaModel
import Testing

@testable import HoldfastBroadcasting

/// Pictures of 40 ms each arrive at the encoder.
@Suite struct OverloadControllerTests {
  private struct Run {
    var controller = OverloadController(maxLevel: 3)
    var now = MonotonicTime(nanoseconds: 0)
    /// The seconds at which the level changed, and to what.
    var changes: [(at: Double, level: Int)] = []

    mutating func pass(_ seconds: Double, waiting: Int = 0, dropped: Int = 0) {
      for _ in 0..<Int(seconds * 25) {
        now = now + .milliseconds(40)
        guard let level = controller.handle(waiting: waiting, dropped: dropped, at: now) else { continue }
        changes.append((Double(now.nanoseconds) / 1e9, level))
      }
    }

    var levels: [Int] { changes.map(\.level) }
  }

  @Test(arguments: [(0, 0), (1, 0), (2, 0)])
  func `a machine that keeps up stays as it is`(waiting: Int, dropped: Int) {
    var run = Run()
    run.pass(600, waiting: waiting, dropped: dropped)
    #expect(run.levels.isEmpty)
  }

  @Test(arguments: [(3, 0), (0, 1)])
  func `an overload is answered step by step, each told once`(waiting: Int, dropped: Int) {
    var run = Run()
    run.pass(60, waiting: waiting, dropped: dropped)
    #expect(run.levels == [1, 2, 3])
    #expect(run.changes.allSatisfy { $0.at <= 2 })
  }

  @Test func `a moment of work is no overload`() {
    var run = Run()
    for _ in 0..<100 {
      run.pass(0.2, waiting: 5, dropped: 1)
      run.pass(0.04)
    }
    #expect(run.levels.isEmpty)
  }

  @Test func `the steps are taken back one by one, each after ten calm seconds`() {
    var run = Run()
    run.pass(2, waiting: 8)
    run.pass(60)
    #expect(run.levels == [1, 2, 3, 2, 1, 0])
    #expect(zip(run.changes.dropFirst(3), [12, 22, 32]).allSatisfy { abs($0.at - $1) < 0.1 })
  }

  @Test func `pictures that wait prevent a step up`() {
    var run = Run()
    run.pass(2, waiting: 8)
    for _ in 0..<20 {
      run.pass(5)
      run.pass(0.04, waiting: 2)
    }
    #expect(run.levels == [1, 2, 3])
  }

  @Test func `a step up that was too much is tried ever more rarely`() {
    var run = Run()
    run.pass(0.32, waiting: 8)
    // Only level 1 and above can keep up.
    for _ in 0..<Int(1800 / 0.04) { run.pass(0.04, waiting: run.controller.level == 0 ? 8 : 0) }
    let ups = run.changes.filter { $0.level == 0 }.map(\.at)
    let pauses = zip(ups, ups.dropFirst()).map { $1 - $0 }
    #expect(pauses.count > 3 && zip(pauses, pauses.dropFirst()).allSatisfy { $1 >= $0 - 0.1 })
    #expect(pauses.last.map { $0 > 150 } == true)
  }

  @Test func `after a step up that held, the next overload is left after ten calm seconds again`() {
    var run = Run()
    run.pass(0.32, waiting: 8)
    run.pass(10.2)
    run.pass(0.6, waiting: 8)
    run.pass(120)
    run.pass(0.6, waiting: 8)
    run.changes = []
    run.pass(10.2)
    #expect(run.levels == [0])
  }

  @Test func `an encoder without faster speeds stays as it is`() {
    var run = Run(controller: OverloadController(maxLevel: 0))
    run.pass(4, waiting: 8, dropped: 5)
    #expect(run.levels.isEmpty)
  }
}
