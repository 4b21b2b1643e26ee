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

    mutating func limit(_ seconds: Int64?) -> SessionTimer.Refusal? {
      let (refusal, actions) = timer.limit(to: seconds.map { .seconds($0) }, at: now)
      perform(actions)
      return refusal
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
  func `the timer alerts, counts down and ends, even when each check is a little late`(nanoseconds: Int64) {
    var story = Story(10, alert: 3).live
    story.pass(.seconds(20), late: MediaTime(nanoseconds: nanoseconds))
    #expect(story.reported == ["running 10", "alert 3", "countdown 2", "countdown 1", "over 0"])
    #expect(story.hasEnded)
  }

  @Test func `the timer ends on time, to the nanosecond`() {
    var story = Story(10).live
    story.pass(MediaTime(nanoseconds: 9_999_999_999))
    #expect(!story.hasEnded)
    story.pass(MediaTime(nanoseconds: 1))
    #expect(story.hasEnded)
  }

  @Test func `time before the broadcast is live does not count towards the limit`() {
    var story = Story(10)
    story.pass(.seconds(100))
    #expect(story.state == .waiting && story.left == 10)
  }

  @Test func `a timer without a limit reports nothing and never ends`() {
    var story = Story(nil).live
    story.handle(.interrupted)
    story.handle(.resumed)
    story.pass(.seconds(1_000_000))
    #expect(story.reported.isEmpty && !story.hasEnded)
    #expect(story.state == .off)
  }

  @Test func `a session shorter than the alert alerts at once`() {
    let story = Story(2, alert: 60).live
    #expect(story.reported == ["running 2", "alert 2"])
  }

  @Test func `a late check skips reports whose time has passed`() {
    var story = Story(10, alert: 5).live
    story.now += MediaTime.milliseconds(7500)
    story.handle(.timePassed)
    story.now += .seconds(60)
    story.handle(.timePassed)
    #expect(story.reported == ["running 10", "alert 3", "over 0"])
  }

  @Test func `checks of a timer that are not due change nothing`() {
    var story = Story(10, alert: 5).live
    for _ in 0..<200 {
      story.now += .milliseconds(30)
      story.handle(.timePassed)
    }
    #expect(story.reported == ["running 10", "alert 5", "countdown 4"])
  }

  @Test func `interrupted time counts towards the limit by default`() {
    var story = Story(10, alert: 1).live
    story.handle(.interrupted)
    story.pass(.seconds(10))
    #expect(story.hasEnded)
  }

  @Test func `interrupted time does not count towards the limit when so configured`() {
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

  @Test func `a new session starts with its full time and no used requests`() {
    var story = Story(10, alert: 1).live
    #expect(story.extend(5, "a") == .extended)
    story.handle(.sessionEnded)
    story.handle(.wentLive)
    #expect(story.left == 10)
    #expect(story.extend(5, "a") == .extended)
  }

  // MARK: Extensions

  @Test func `a repeated extension request extends the session only once`() {
    var story = Story(100).live
    #expect((0..<3).map { _ in story.extend(10, "a") } == [.extended, .repeated, .repeated])
    #expect(story.left == 110)
  }

  @Test func `an extension's request id cannot be reused with another length`() {
    var story = Story(100)
    #expect(story.extend(10, "a") == .extended)
    #expect(story.extend(20, "a") == .refused(.requestUsed))
    #expect(story.left == 110)
  }

  @Test func `a session can be extended before it begins`() {
    var story = Story(100)
    #expect(story.extend(10, "a") == .extended)
    story.handle(.wentLive)
    #expect(story.left == 110 && story.reported == ["extended 110", "running 110"])
  }

  @Test func `each of many extensions adds the requested time`() {
    var story = Story(10)
    let results = (0..<20).map { story.extend(10, "\($0)") }
    #expect(Set(results) == [.extended] && story.left == 210)
  }

  @Test func `a session's alert comes again after an extension`() {
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
  func `extensions cannot exceed the maximum total`(
    seconds: Int64, result: SessionTimer.ExtensionResult, left: Int64
  ) {
    var story = Story(100, total: 150)
    #expect(story.extend(seconds, "a") == result)
    #expect(story.left == left)
  }

  @Test(arguments: [0, -1, -9_000_000_000, 9_000_000_000, 366 * 86_400 + 1] as [Int64])
  func `extensions by an impossible length are refused`(seconds: Int64) {
    var story = Story(100)
    #expect(story.extend(seconds, "a") == .refused(.wrongLength))
    #expect(story.left == 100)
  }

  @Test func `a session that has no limit or is over cannot be extended`() {
    var endless = Story(nil)
    #expect(endless.extend(10, "a") == .refused(.noLimit))
    var story = Story(10).live
    // Not checked yet.
    story.now += .seconds(10)
    #expect(story.extend(10, "a") == .refused(.isOver))
    story.pass(.seconds(1))
    #expect(story.extend(10, "b") == .refused(.isOver))
  }

  @Test func `a refused extension may be requested again`() {
    var story = Story(100, total: 150)
    #expect(story.extend(60, "a") == .refused(.limitReached(left: .seconds(50))))
    #expect(story.extend(50, "a") == .extended)
  }

  @Test func `extension requests beyond the number that can be remembered are refused`() {
    var story = Story(100)
    for number in 0..<SessionTimer.maxRequests { _ = story.extend(1, "\(number)") }
    #expect(story.extend(1, "one more") == .refused(.tooManyRequests))
    #expect(story.extend(1, "7") == .repeated)
  }

  // MARK: After a crash

  @Test func `the timer continues after a crash where the process ended`() {
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

  @Test func `a session whose time ran out during a crash is over at once`() {
    var story = Story(100)
    story.handle(.resumedAfterCrash(.init(elapsed: .seconds(101), away: .seconds(50))))
    #expect(story.hasEnded && story.state == .over)
  }

  @Test func `time away after a crash does not count when interruptions do not`() {
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

  @Test func `impossible lengths after a crash do no harm`() {
    let wild = MediaTime(nanoseconds: .max)
    var story = Story(100, counts: false)
    story.handle(.resumedAfterCrash(.init(elapsed: wild, uncounted: wild, away: wild, length: wild)))
    story.handle(.resumed)
    story.pass(.seconds(1))
    #expect(story.left >= 0)
  }

  @Test func `a limit replaces the last one, extensions included, and repeats the alert`() {
    var story = Story(100).live
    story.pass(.seconds(50))
    story.reported = []
    #expect(story.limit(1000) == nil)
    #expect(story.left == 950)
    #expect(story.limit(80) == nil)
    #expect(story.reported == ["alert 30"])
    story.pass(.seconds(30))
    #expect(story.hasEnded)
  }

  @Test func `a lifted limit ends nothing`() {
    var story = Story(100).live
    #expect(story.limit(nil) == nil)
    story.pass(.seconds(1000))
    #expect(!story.hasEnded && story.state == .off)
  }

  @Test func `a limit that has passed already, is too long or comes too late is refused`() {
    var story = Story(100, total: 500).live
    story.pass(.seconds(50))
    #expect(story.limit(50) == .wrongLength)
    #expect(story.limit(0) == .wrongLength)
    #expect(story.limit(501) == .limitReached(left: .seconds(500)))
    #expect(story.left == 50)
    story.now = story.now + .seconds(50)
    #expect(story.limit(400) == .isOver)
  }
}
