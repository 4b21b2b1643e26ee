import HoldfastMediaModel
import Testing

@testable import HoldfastRecording

@Suite struct DiskGuardTests {
  @Test func `each state takes each event as the table says`() {
    #expect(DiskStory.table == DiskStory.expected)
  }

  @Test func `a disk that is low is warned of once, and again only when there was room meanwhile`() {
    var disk = DiskStory()
    let rooms = [300, 290, 520, 570, 520, 600, 510].map { $0 << 20 }
    let reported = rooms.flatMap { disk.handle(.measured(free: $0, bytesPerSecond: 1)) }
    #expect(reported == [.report(.low), .report(.writing), .report(.low)])
  }

  @Test func `a disk that is full in less than ten minutes is low, whatever the reserve`() {
    var disk = DiskStory(reserve: 0)
    let rates = [1_600_000, 1_700_000, 1_500_000, 1_700_000, 1_300_000]
    #expect(
      rates.flatMap { disk.handle(.measured(free: 1_000_000_000, bytesPerSecond: $0)) }
        == [.report(.low), .report(.writing)])
  }

  @Test func `without a reserve only a write that fails ends the file`() {
    var disk = DiskStory(reserve: 0)
    #expect(disk.handle(.measured(free: 0, bytesPerSecond: 1)) == [.report(.low)])
    #expect(
      disk.handle(.failed(code: 28, isFull: true))
        == [.report(.full), .finishFile, .retry(after: .seconds(1))])
  }

  @Test(arguments: [(256 << 20, 320 << 20), (2 << 30, (2 << 30) + (64 << 20)), (0, 4 << 20)])
  func `a full disk is gone on with when there is a margin above the reserve`(reserve: Int, enough: Int) {
    var disk = DiskStory(reserve: reserve)
    disk.handle(.failed(code: 28, isFull: true))
    disk.pass(.seconds(1))
    #expect(disk.handle(.measured(free: enough - 1, bytesPerSecond: 1)) == [.retry(after: .seconds(1))])
    disk.pass(.seconds(1))
    #expect(disk.handle(.measured(free: enough, bytesPerSecond: 1)) == [.resume])
  }

  @Test func `what is measured before its time changes nothing`() {
    var disk = DiskStory()
    disk.handle(.failed(code: 5, isFull: false))
    disk.pass(.milliseconds(249))
    #expect(disk.handle(DiskStory.plenty) == [])
    disk.pass(.milliseconds(1))
    #expect(disk.handle(DiskStory.plenty) == [.resume])
  }

  @Test func `a disk that fails is tried again less and less often`() {
    var disk = DiskStory()
    var waits = disk.wait(after: .failed(code: 5, isFull: false))
    for _ in 0..<6 {
      disk.handle(DiskStory.plenty)
      waits += disk.wait(after: .failed(code: 5, isFull: false))
    }
    #expect(waits == [250, 500, 1000, 2000, 4000, 5000, 5000])
  }

  @Test func `so is one that can't even be measured`() {
    var disk = DiskStory()
    let waits = (0..<4).flatMap { _ in disk.wait(after: .failed(code: 2, isFull: false)) }
    #expect(waits == [250, 500, 1000, 2000])
  }

  @Test func `a failing end of the file is no attempt`() {
    var disk = DiskStory()
    disk.handle(.failed(code: 5, isFull: false))
    #expect(disk.handle(.failed(code: 5, isFull: false)) == [.retry(after: .milliseconds(250))])
  }

  @Test(arguments: [(9999, 4000.0), (10_000, 250)])
  func `the waiting begins anew once the disk has held for a while`(milliseconds: Int64, wait: Double) {
    var disk = DiskStory()
    // Two attempts that failed, and a return that didn't last.
    for _ in 0..<3 { _ = disk.wait(after: .failed(code: 5, isFull: false)) }
    _ = disk.failAndReturn()
    disk.pass(.milliseconds(milliseconds))
    #expect(disk.failAndReturn() == [wait])
  }

  @Test func `a disk that only seems to return is left alone longer and longer`() {
    var disk = DiskStory()
    #expect((0..<6).flatMap { _ in disk.failAndReturn() } == [250, 500, 1000, 2000, 4000, 5000])
  }

  @Test func `so is one that seems to have room`() {
    var disk = DiskStory()
    let waits = (0..<7).flatMap { _ in disk.failAndReturn(.failed(code: 122, isFull: true)) }
    #expect(waits == [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  }

  @Test func `another error of the same kind is not reported anew`() {
    var disk = DiskStory()
    #expect(disk.handle(.failed(code: 5, isFull: false)).contains(.report(.failed(code: 5))))
    #expect(disk.handle(.failed(code: 30, isFull: false)) == [.retry(after: .milliseconds(250))])
  }

  @Test func `no reserve is too large to be counted with`() {
    var disk = DiskStory(reserve: .max)
    #expect(disk.handle(DiskStory.plenty).contains(.finishFile))
  }
}
