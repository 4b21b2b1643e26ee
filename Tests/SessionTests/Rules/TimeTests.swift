import HoldfastLifecycle
import HoldfastMediaModel
import Testing

@testable import HoldfastSession

@Suite final class TimeTests {
  private var story = SessionStory.busy

  private func reports(_ events: [Session.Event]?) -> [String]? {
    events?.compactMap { event in
      guard case .timer(let report) = event else { return nil }
      return "\(report.state.rawValue) \(report.left?.wholeSeconds ?? -1)"
    }
  }

  private let live = Session.Member.Report(.live)

  @Test func `the time begins when the first member is live`() {
    story.apply(.limit(.seconds(120)), by: "Anna")
    story.pass(.seconds(50))
    let began = story.now
    let events = story.apply(.report(live), by: "Left").events
    #expect(events?.first == .reported(story.id("Left"), .condition(.live)))
    #expect(reports(events) == ["running 120"])
    story.pass(.seconds(10))
    #expect(reports(story.apply(.report(live), by: "Right").events) == [])
    #expect(story.session.meeting?.timer.startedAt?.nanoseconds == began.nanoseconds)
  }

  @Test func `an alert comes 60 s before the end, then a countdown, then all are out`() {
    story.apply(.limit(.seconds(70)), by: "Anna")
    story.apply(.report(live), by: "Left")
    let events = story.pass(.seconds(70))
    #expect(reports(events) == ["alert 60"] + (1..<60).reversed().map { "countdown \($0)" } + ["over 0"])
    #expect(events.last == .ended(.time))
    #expect(story.session.meeting == nil)
    #expect(story.apply(.ready, by: "Left").refusal == .sessionOver(.time))
  }

  @Test func `extensions add the time that is asked for, each request once`() {
    story.apply(.limit(.seconds(100)), by: "Anna")
    story.apply(.report(live), by: "Left")
    story.pass(.seconds(50))
    let extend = Session.Command.extend(.seconds(600), request: "1")
    #expect(reports(story.apply(extend, by: "Anna").events) == ["extended 650"])
    #expect(story.apply(extend, by: "Anna").events == [])
    #expect(story.apply(.extend(.seconds(60), request: "1"), by: "Anna").refusal == .timer(.requestUsed))
    #expect(story.apply(.extend(.seconds(60), request: "2"), by: "Max").refusal == .notAllowed(.setTime))
    story.pass(.seconds(649))
    #expect(story.session.meeting != nil)
    story.pass(.seconds(1))
    #expect(story.session.meeting == nil)
  }

  @Test func `an extension's id is known as long as the session lasts`() throws {
    story.apply(.limit(.seconds(10_000)), .extend(.seconds(600), request: "1"), by: "Anna")
    story.pass(.seconds(3600))
    story.session = try Session(stored: story.session.stored)
    #expect(story.apply(.extend(.seconds(600), request: "1"), by: "Anna").events == [])
    #expect(story.session.meeting?.timer.length == .seconds(10_600))
  }

  @Test func `an extension's id is its sender's own`() {
    story.apply(.limit(.seconds(100)), by: "Anna")
    let extend = Session.Command.extend(.seconds(10), request: "1")
    for _ in 0..<2 {
      story.apply(extend, by: "Anna")
      for token in ["one", "two"] { story.apply(extend, by: .token(Session.Credential(.host, token: token))) }
    }
    #expect(story.session.meeting?.timer.length == .seconds(130))
  }

  @Test func `without a limit there is nothing to extend, and the session goes on`() {
    story.apply(.report(live), by: "Left")
    #expect(story.apply(.extend(.seconds(60), request: "1"), by: "Anna").refusal == .timer(.noLimit))
    story.pass(.seconds(7200))
    #expect(story.session.meeting != nil)
  }

  @Test func `a limit can be set, changed and lifted while the time runs`() {
    story.apply(.report(live), by: "Left")
    story.pass(.seconds(100))
    #expect(story.apply(.limit(.seconds(100)), by: "Anna").refusal == .timer(.wrongLength))
    let limits: [MediaTime?] = [.seconds(130), .seconds(1000), nil]
    let told = limits.compactMap { reports(story.apply(.limit($0), by: "Anna").events) }
    #expect(told == [["limited 30", "alert 30"], ["limited 900"], ["limited -1"]])
    story.pass(.seconds(2000))
    #expect(story.session.meeting != nil)
  }

  @Test(arguments: [0, -1, 367 * 86_400] as [Int64])
  func `a length that can't be is refused`(seconds: Int64) {
    #expect(story.apply(.limit(.seconds(seconds)), by: "Anna").refusal != nil)
    story.apply(.limit(.seconds(1000)), by: "Anna")
    #expect(story.apply(.extend(.seconds(seconds), request: "1"), by: "Anna").refusal != nil)
  }

  @Test func `at the end nothing is taken any more, even before a hub has looked`() {
    story.apply(.limit(.seconds(100)), by: "Anna")
    story.apply(.report(live), by: "Left")
    story.now = story.now + .seconds(100)
    #expect(story.apply(.extend(.seconds(60), request: "1"), by: "Anna").refusal == .sessionOver(.time))
    #expect(story.join("New").refusal == .sessionOver(.time))
  }

  @Test func `ready is said once for each join, and is in the state for who asks later`() {
    #expect(story.apply(.ready, by: "Left").events == [.ready(story.id("Left"))])
    #expect(story.apply(.ready, by: "Left").events == [])
    #expect(story.member("Left")?.isReady == true)
    story.rejoin("Left")
    #expect(story.member("Left")?.isReady == false)
  }

  @Test func `an event is passed on with its sender`() throws {
    let event = try Session.CustomEvent(name: "cue", data: ["slide": .integer(4)])
    #expect(story.apply(.event(event), by: "Left").events == [.event(story.id("Left"), event)])
    let token = Session.Credential(.host, token: "another")
    #expect(story.apply(.event(event), by: .token(token)).events == [.event(nil, event)])
  }

  @Test func `only what is new of a report is an event`() {
    let report = Session.Member.Report(.live, muted: [.audio])
    #expect(story.apply(.report(report), by: "Left").events?.count == 2)
    #expect(story.apply(.report(report), by: "Left").events == [])
  }
}
