import HoldfastMediaModel
import Testing

@testable import HoldfastRecording

@Suite struct DiskGuardTests {
  private var disk = DiskStory()

  @Test func `each state of a disk handles each event as in the table`() {
    #expect(DiskStory.table == DiskStory.expected)
  }

  @Test mutating func `a low disk is reported once, and again only after there was room`() {
    let rooms = [300, 290, 520, 570, 520, 600, 510].map { $0 << 20 }
    let reported = rooms.flatMap { disk.handle(.measured(free: $0, bytesPerSecond: 1)) }
    #expect(reported == [.report(.low), .report(.writing), .report(.low)])
  }

  @Test mutating func `a disk that will be full in less than ten minutes is low, even without a reserve`() {
    disk = DiskStory(reserve: 0)
    let rates = [1_600_000, 1_700_000, 1_500_000, 1_700_000, 1_300_000]
    let reported = rates.flatMap { disk.handle(.measured(free: 1_000_000_000, bytesPerSecond: $0)) }
    #expect(reported == [.report(.low), .report(.writing)])
  }

  @Test mutating func `only a failed write ends the file when there is no reserve`() {
    disk = DiskStory(reserve: 0)
    #expect(disk.handle(.measured(free: 0, bytesPerSecond: 1)) == [.report(.low)])
    let full = DiskGuard.Action.report(.full(free: nil, required: 1 << 20))
    #expect(disk.handle(.failed(code: 28, isFull: true)) == [full, .finishFile, .retry(after: .seconds(1))])
  }

  @Test(arguments: [(256 << 20, 320 << 20), (2 << 30, (2 << 30) + (64 << 20)), (0, 1 << 20)] as [(Int, Int)])
  mutating func `a full disk is resumed when there is a margin above the reserve`(reserve: Int, enough: Int) {
    disk = DiskStory(reserve: reserve)
    disk.handle(.failed(code: 28, isFull: true))
    let actions = [enough - 1, enough].map {
      disk.handle(.measured(free: $0, bytesPerSecond: 1), after: .seconds(1))
    }
    #expect(actions == [[.retry(after: .seconds(1))], [.resume]])
  }

  @Test mutating func `a full disk is reported with what is free and what is required`() {
    let actions = disk.handle(.measured(free: 250 << 20, bytesPerSecond: 1))
    #expect(actions.first == .report(.full(free: 250 << 20, required: 320 << 20)))
  }

  @Test(arguments: [DiskStory.failed, .failed(code: 28, isFull: true)], [256, 257])
  mutating func `at the end a disk that takes nothing is tried at once, unless only the reserve is left`(
    failure: DiskGuard.Event, megabytes: Int
  ) {
    disk.handle(failure)
    let actions = disk.handle(.measuredAtEnd(free: megabytes << 20))
    #expect(actions.contains(.resume) == (megabytes > 256))
  }

  @Test mutating func `a measurement before the retry is due changes nothing`() {
    disk.handle(DiskStory.failed)
    #expect(disk.handle(DiskStory.plenty, after: .milliseconds(249)) == [])
    #expect(disk.handle(DiskStory.plenty, after: .milliseconds(1)) == [.resume])
  }

  @Test(
    arguments: [
      ("that fails", DiskStory.failed, [DiskStory.plenty], [250, 500, 1000, 2000, 4000, 5000, 5000]),
      ("that can't even be measured", .failed(code: 2, isFull: false), [], [250, 500, 1000, 2000]),
      ("that only seems to return", DiskStory.failed, returns, [250, 500, 1000, 2000, 4000, 5000]),
      (
        "that seems to have room", .failed(code: 122, isFull: true), returns,
        [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]
      ),
    ] as [(String, DiskGuard.Event, [DiskGuard.Event], [Double])])
  mutating func `a failing disk is retried less and less often`(
    what: String, failure: DiskGuard.Event, after: [DiskGuard.Event], expected: [Double]
  ) {
    let waits = expected.flatMap { _ in
      let waits = disk.wait(after: failure)
      for event in after { disk.handle(event) }
      return waits
    }
    #expect(waits == expected)
  }

  private static let returns = [DiskStory.plenty, .succeeded]

  @Test(arguments: [(9999, 4000.0), (10_000, 250)])
  mutating func `retry delays start over once the disk has worked for a while`(
    milliseconds: Int64, wait: Double
  ) {
    // Two attempts that failed, and a return that didn't last.
    for _ in 0..<3 { _ = disk.wait(after: DiskStory.failed) }
    _ = disk.failAndReturn()
    disk.pass(.milliseconds(milliseconds))
    #expect(disk.failAndReturn() == [wait])
  }

  @Test(arguments: [5, 30] as [Int32])
  mutating func `a failure to end the file is not reported again, and does not count as an attempt`(
    code: Int32
  ) {
    #expect(disk.handle(DiskStory.failed).contains(.report(.failed(code: 5))))
    #expect(disk.handle(.failed(code: code, isFull: false)) == [.retry(after: .milliseconds(250))])
  }

  @Test mutating func `the largest possible reserve does not overflow`() {
    disk = DiskStory(reserve: .max)
    #expect(disk.handle(DiskStory.plenty).contains(.finishFile))
  }
}
