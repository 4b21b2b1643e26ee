import HoldfastMediaModel
import Testing

@testable import HoldfastLifecycle

@Suite struct SessionTimerTests {
  /// A timer and the clock that it goes by: checked as often as the timer asks for.
  private struct Story {
    var timer: SessionTimer
    var now: MediaTime
    var reported: [String] = []
    var hasEnded = false

    init(
      _ seconds: Int64?, total: Int64? = nil, alert: Int64 = 60, counts: Bool = true, at start: Int64 = 1000
    ) {
      var settings = SessionTimer.Settings()
      settings.maxDuration = seconds.map { .seconds($0) }
      settings.maxTotal = total.map { .seconds($0) }
      settings.alertBefore = .seconds(alert)
      settings.countsInterruptions = counts
      timer = SessionTimer(settings)
      now = .seconds(start)
    }

    var live: Story {
      var story = self
      story.handle(.wentLive)
      return story
    }

    mutating func handle(_ event: SessionTimer.Event) { perform(timer.handle(event, at: now)) }

    mutating func extend(_ seconds: Int64, _ request: String) -> SessionTimer.ExtensionResult {
      let (result, actions) = timer.extend(by: .seconds(seconds), request: request, at: now)
      perform(actions)
      return result
    }

    /// Lets time pass, with each check that is due.
    mutating func pass(_ length: MediaTime, late: MediaTime = .zero) {
      let end = now + length
      while let next = timer.nextCheck(after: now), next <= end {
        now = next + late
        handle(.timePassed)
      }
      now = end
    }

    private mutating func perform(_ actions: [SessionTimer.Action]) {
      for action in actions {
        switch action {
        case .report(let report): reported.append("\(report.rawValue) \(left)")
        case .keep: break
        case .end: hasEnded = true
        }
      }
    }

    var state: SessionTimer.State { timer.state(at: now) }
    var left: Int64 { timer.left(at: now)?.wholeSeconds ?? -1 }
  }

  @Test(arguments: [0, 1, 999_999_999] as [Int64])
  func `it alerts, counts down and ends, also when each check is a little late`(nanoseconds: Int64) {
    var story = Story(10, alert: 3).live
    story.pass(.seconds(20), late: MediaTime(nanoseconds: nanoseconds))
    #expect(story.reported == ["running 10", "alert 3", "countdown 2", "countdown 1", "over 0"])
    #expect(story.hasEnded)
  }

  @Test func `it ends at its end, to the nanosecond`() {
    var story = Story(10).live
    story.pass(MediaTime(nanoseconds: 9_999_999_999))
    #expect(!story.hasEnded)
    story.pass(MediaTime(nanoseconds: 1))
    #expect(story.hasEnded)
  }

  @Test func `time before it is live does not count`() {
    var story = Story(10)
    story.pass(.seconds(100))
    #expect(story.state == .waiting && story.left == 10)
  }

  @Test func `without a limit it is silent`() {
    var story = Story(nil).live
    story.handle(.interrupted)
    story.handle(.resumed)
    story.pass(.seconds(1_000_000))
    #expect(story.reported.isEmpty && !story.hasEnded)
    #expect(story.state == .off)
  }

  @Test func `a length below the alert alerts at once`() {
    let story = Story(2, alert: 60).live
    #expect(story.reported == ["running 2", "alert 2"])
  }

  @Test func `a late check skips what is past`() {
    var story = Story(10, alert: 5).live
    story.now += MediaTime.milliseconds(7500)
    story.handle(.timePassed)
    story.now += .seconds(60)
    story.handle(.timePassed)
    #expect(story.reported == ["running 10", "alert 3", "over 0"])
  }

  @Test func `checks that are not due change nothing`() {
    var story = Story(10, alert: 5).live
    for _ in 0..<200 {
      story.now += .milliseconds(30)
      story.handle(.timePassed)
    }
    #expect(story.reported == ["running 10", "alert 5", "countdown 4"])
  }

  @Test func `interrupted time counts`() {
    var story = Story(10, alert: 1).live
    story.handle(.interrupted)
    story.pass(.seconds(10))
    #expect(story.hasEnded)
  }

  @Test func `interrupted time does not count where that is asked for`() {
    var story = Story(10, alert: 3, counts: false).live
    story.pass(.seconds(8))
    story.handle(.interrupted)
    story.pass(.seconds(1000))
    #expect(story.left == 2 && story.state == .paused && story.timer.end(at: story.now) == nil)
    story.handle(.resumed)
    story.pass(.seconds(5))
    #expect(
      story.reported == [
        "running 10", "alert 3", "countdown 2", "paused 2", "running 2", "alert 2", "countdown 1", "over 0",
      ])
  }

  @Test func `a further broadcast of the session continues its time`() {
    var story = Story(10, alert: 1).live
    story.pass(.seconds(4))
    story.handle(.interrupted)
    story.pass(.seconds(2))
    story.handle(.wentLive)
    #expect(story.left == 4)
  }

  @Test func `a broadcast after the end begins another session`() {
    var story = Story(10, alert: 1).live
    story.pass(.seconds(20))
    story.handle(.wentLive)
    #expect(story.left == 10 && story.state == .running)
  }

  @Test func `another session begins anew`() {
    var story = Story(10, alert: 1).live
    #expect(story.extend(5, "a") == .extended)
    story.handle(.sessionEnded)
    story.handle(.wentLive)
    #expect(story.left == 10)
    #expect(story.extend(5, "a") == .extended)
  }

  // MARK: Extensions

  @Test func `the same request extends once`() {
    var story = Story(100).live
    #expect((0..<3).map { _ in story.extend(10, "a") } == [.extended, .repeated, .repeated])
    #expect(story.left == 110)
  }

  @Test func `a request's id stands for one length`() {
    var story = Story(100)
    #expect(story.extend(10, "a") == .extended)
    #expect(story.extend(20, "a") == .refused(.requestUsed))
    #expect(story.left == 110)
  }

  @Test func `it is extended before it begins, too`() {
    var story = Story(100)
    #expect(story.extend(10, "a") == .extended)
    story.handle(.wentLive)
    #expect(story.left == 110 && story.reported == ["extended 110", "running 110"])
  }

  @Test func `an extension is by what was asked for, however often`() {
    var story = Story(10)
    let results = (0..<20).map { story.extend(10, "\($0)") }
    #expect(Set(results) == [.extended] && story.left == 210)
  }

  @Test func `the alert comes again after an extension`() {
    var story = Story(10, alert: 3).live
    story.pass(.seconds(8))
    #expect(story.extend(5, "a") == .extended)
    story.pass(.seconds(5))
    #expect(story.reported.suffix(4) == ["countdown 2", "extended 7", "alert 3", "countdown 2"])
  }

  @Test func `an extension within the alert continues the countdown`() {
    var story = Story(10, alert: 5).live
    story.pass(.seconds(8))
    #expect(story.extend(2, "a") == .extended)
    story.pass(.seconds(2))
    #expect(story.reported.suffix(3) == ["extended 4", "countdown 3", "countdown 2"])
  }

  @Test(arguments: [
    (50, SessionTimer.ExtensionResult.extended, 150), (51, .refused(.limitReached(left: .seconds(50))), 100),
  ])
  func `all of it has a limit`(seconds: Int64, result: SessionTimer.ExtensionResult, left: Int64) {
    var story = Story(100, total: 150)
    #expect(story.extend(seconds, "a") == result)
    #expect(story.left == left)
  }

  @Test(arguments: [0, -1, -9_000_000_000, 9_000_000_000, 366 * 86_400 + 1] as [Int64])
  func `what is no time is refused`(seconds: Int64) {
    var story = Story(100)
    #expect(story.extend(seconds, "a") == .refused(.notATime))
    #expect(story.left == 100)
  }

  @Test func `nothing is extended that has no limit, or is over`() {
    var endless = Story(nil)
    #expect(endless.extend(10, "a") == .refused(.noLimit))
    var story = Story(10).live
    // Not checked yet.
    story.now += .seconds(10)
    #expect(story.extend(10, "a") == .refused(.isOver))
    story.pass(.seconds(1))
    #expect(story.extend(10, "b") == .refused(.isOver))
  }

  @Test func `a refused request may be asked for again`() {
    var story = Story(100, total: 150)
    #expect(story.extend(60, "a") == .refused(.limitReached(left: .seconds(50))))
    #expect(story.extend(50, "a") == .extended)
  }

  @Test func `requests are remembered up to a limit, and none beyond it is carried out`() {
    var story = Story(100)
    for number in 0..<SessionTimer.maxRequests { _ = story.extend(1, "\(number)") }
    #expect(story.extend(1, "one more") == .refused(.tooManyRequests))
    #expect(story.extend(1, "7") == .repeated)
  }

  // MARK: After a crash

  @Test func `it continues where the process ended`() {
    var story = Story(100, alert: 10, at: 5000)
    story.handle(
      .resumedAfterCrash(
        .init(elapsed: .seconds(70), away: .seconds(5), length: .seconds(120), requests: ["a": .seconds(20)]))
    )
    #expect(story.left == 50)
    #expect(story.extend(20, "a") == .repeated)
    story.pass(.seconds(50))
    #expect(story.hasEnded)
  }

  @Test func `what has run out meanwhile is over at once`() {
    var story = Story(100)
    story.handle(.resumedAfterCrash(.init(elapsed: .seconds(101), away: .seconds(50))))
    #expect(story.hasEnded && story.state == .over)
  }

  @Test func `time away does not count where interruptions don't`() {
    var story = Story(100, counts: false)
    story.handle(
      .resumedAfterCrash(.init(elapsed: .seconds(120), uncounted: .seconds(20), away: .seconds(40))))
    #expect(story.left == 40)
    story.pass(.seconds(10))
    story.handle(.resumed)
    #expect(story.left == 40)
    story.pass(.seconds(40))
    #expect(story.hasEnded)
  }

  @Test func `lengths that can't be do no harm`() {
    let wild = MediaTime(nanoseconds: .max)
    var story = Story(100, counts: false)
    story.handle(.resumedAfterCrash(.init(elapsed: wild, uncounted: wild, away: wild, length: wild)))
    story.handle(.resumed)
    story.pass(.seconds(1))
    #expect(story.left >= 0)
  }
}
