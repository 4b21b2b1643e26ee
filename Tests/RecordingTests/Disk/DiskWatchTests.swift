import HoldfastMediaModel
import Testing

@testable import HoldfastRecording

private let full = DiskState.full(free: 0, required: 1)

@Suite struct DiskWatchTests {
  private struct Story {
    var watch = DiskWatch(DiskLimits(reserve: 0))
    var now = MonotonicTime(nanoseconds: 0)

    mutating func pass(_ time: MediaTime) { now = now + time }
    mutating func update(_ state: DiskState) -> DiskState? { watch.update(state, at: now) }
    mutating func written() -> DiskState? { watch.written(at: now) }
    mutating func check(_ milliseconds: Int64, after time: MediaTime = .zero) -> DiskState? {
      pass(time)
      return watch.check(queued: .milliseconds(milliseconds), at: now)
    }
  }

  private var story = Story()

  @Test(
    arguments: [(full, .disk), (.failed(code: 5), .diskFailed), (.failed(code: 2), .fileGone)]
      as [(DiskState, Gap.Cause)])
  mutating func `what a disk refuses is lost by the cause of its refusal`(state: DiskState, cause: Gap.Cause)
  {
    for update in [state, .writing] {
      _ = story.update(update)
      #expect((story.watch.isBehind, story.watch.failure) == (true, cause))
    }
  }

  @Test mutating func `a slow disk stays slow until it has been quick for a while`() {
    #expect([1000, 1001, 3000].map { story.check($0) } == [nil, .slow, nil])
    #expect(story.check(500, after: .milliseconds(1999)) == nil)
    #expect(story.check(501, after: .milliseconds(1)) == nil)
    story.pass(.milliseconds(1999))
    #expect(story.written() == nil)
    #expect(story.check(500, after: .milliseconds(1)) == .writing)
  }

  @Test(arguments: [DiskState.writing, .low])
  mutating func `a slow disk that becomes quick gets the state found in the meantime`(found: DiskState) {
    #expect(story.check(2000) == .slow)
    #expect([.low, found].map { story.update($0) } == [nil, nil])
    story.pass(.seconds(60))
    #expect(story.written() == found)
  }

  @Test(arguments: [full, .failed(code: 5)])
  mutating func `a slow disk that takes nothing is reported at once, and no longer slow`(found: DiskState) {
    #expect(story.check(2000) == .slow)
    #expect((story.update(found), story.check(5000), story.update(.writing)) == (found, nil, .writing))
  }

  @Test mutating func `a backlog from a full disk makes it slow only if it lasts long`() {
    _ = story.update(full)
    #expect((story.watch.isBehind, story.update(.writing)) == (true, .writing))
    #expect((story.check(15_000, after: .seconds(20)), story.watch.isBehind) == (nil, true))
    #expect((story.check(15_000, after: .milliseconds(1)), story.watch.isBehind) == (.slow, false))
  }

  @Test mutating func `a disk has caught up when hardly anything waits`() {
    _ = story.update(full)
    _ = story.update(.writing)
    #expect((story.check(499), story.watch.isBehind) == (nil, false))
  }
}
