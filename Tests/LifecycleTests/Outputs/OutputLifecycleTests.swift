import HoldfastMediaModel
import TestRandomness
import Testing

@testable import HoldfastLifecycle

@Suite struct OutputLifecycleTests {
  private func publishing() -> OutputStory { OutputStory(after: [.startRequested, .accepted, .proven]) }

  @Test(
    arguments: [
      (.record, [.startRequested, .accepted, .proven, .failed(.closed), .networkChanged], .append),
      (.record, [.startRequested, .accepted, .failed(.closed), .timerFired(1)], .record),
      (.record, [.startRequested, .failed(.unreachable), .timerFired(1)], .record),
      (.live, [.startRequested, .accepted, .proven, .failed(.closed), .timerFired(1)], .live),
      (.record, [.startRequested, .accepted, .proven, .stopRequested, .startRequested], .append),
      (.record, [.startRequested, .pauseRequested, .resumeRequested], .record),
    ] as [(PublishType, [OutputLifecycle.Event], PublishType)])
  func `a recording is started until the publish is proven, and then continued; live stays live`(
    type: PublishType, events: [OutputLifecycle.Event], next: PublishType
  ) {
    var story = OutputStory(publishType: type)
    for event in events { story.handle(event) }
    #expect(story.publishTypes == [type, next])
  }

  @Test func `the first retry after a loss is immediate`() {
    var story = publishing()
    story.handle(.failed(.closed))
    #expect(story.condition == OutputLifecycle.Condition(.waiting, cause: .failure(.closed), retryIn: .zero))
  }

  @Test func `a proof resets the retry schedule, acceptance alone does not`() {
    var story = publishing()
    for _ in 0..<3 {
      story.now = story.now + .seconds(20)
      story.handle(.failed(.noProgress))
      story.fireTimer()
      story.handle(.accepted)
    }
    story.handle(.failed(.noProgress))
    #expect(story.condition?.retryIn ?? .zero > .seconds(2))
    story.fireTimer()
    story.handle(.accepted, .proven, .failed(.closed))
    #expect(story.condition?.retryIn == .zero)
  }

  @Test func `publishing is reported with the proof, not with the acceptance`() {
    var story = OutputStory(after: [.startRequested, .accepted])
    #expect(story.condition?.state == .connecting)
    #expect(story.handle(.proven) == [.report(.init(.publishing))])
  }

  @Test(
    arguments: [[.accepted, .failed(.closed)], [.failed(.closedBeforeAccepted)]] as [[OutputLifecycle.Event]])
  func `a server that hangs up before any proof refuses or has the name taken, and is soon tried less often`(
    hangUp: [OutputLifecycle.Event]
  ) {
    var story = OutputStory(after: [.startRequested])
    for retry in [500, 500, 5000, 5000] as [Int64] {
      for event in hangUp { story.handle(event) }
      let expected = OutputLifecycle.Condition(
        .waiting, cause: .refusedOrTaken, retryIn: .milliseconds(retry))
      #expect(story.condition == expected)
      story.fireTimer()
    }
  }

  @Test func `a server that has proven a publish, and then accepts and hangs up, has the name taken`() {
    var story = publishing()
    story.handle(.failed(.closed))
    #expect(story.condition?.cause == .failure(.closed))
    story.fireTimer()
    story.handle(.accepted, .failed(.closed))
    #expect(story.condition?.cause == .failure(.nameTaken))
    #expect(story.condition?.retryIn == .milliseconds(500))
  }

  @Test func `a taken name is retried often for ten seconds, then less often`() {
    var story = publishing()
    story.handle(.failed(.closed))
    story.fireTimer()
    var delays: [MediaTime] = []
    while story.now < MonotonicTime(nanoseconds: 0) + .seconds(60) {
      story.handle(.failed(.nameTaken))
      delays.append(story.condition?.retryIn ?? .zero)
      story.fireTimer()
    }
    #expect(delays.prefix(20).allSatisfy { $0 == .milliseconds(500) })
    #expect(delays.suffix(2).allSatisfy { $0 > .seconds(1) })
  }

  @Test(arguments: [OutputFailure.refused, .certificate, .unsupported])
  func `a failure that someone has to fix first is not retried`(failure: OutputFailure) {
    let story = OutputStory(after: [.startRequested, .failed(failure)])
    #expect(story.condition == OutputLifecycle.Condition(.refused, cause: .failure(failure)))
    #expect(story.timers.isEmpty)
  }

  @Test(arguments: [OutputFailure.refused, .certificate])
  func `a server that has accepted before is retried even after a refusal`(failure: OutputFailure) {
    var story = publishing()
    story.handle(.failed(failure))
    #expect(story.condition?.state == .waiting)
  }

  @Test func `a network change wakes a waiting output`() {
    var story = publishing()
    story.handle(.failed(.unreachable))
    story.fireTimer()
    story.now = story.now + .seconds(100)
    story.handle(.failed(.unreachable), .networkChanged)
    #expect(story.machine.state == .connecting)
    #expect(story.timers.isEmpty)
  }

  @Test func `an output gives up after the configured time`() {
    var story = OutputStory(giveUpAfter: .seconds(10))
    story.handle(.startRequested)
    while story.now < MonotonicTime(nanoseconds: 0) + .seconds(20), story.machine.state == .connecting {
      story.handle(.failed(.unreachable))
      story.fireTimer()
    }
    #expect(story.condition == OutputLifecycle.Condition(.refused, cause: .gaveUp))
  }

  @Test func `the beginning and end of a stall are reported`() {
    var story = publishing()
    story.handle(.stalled)
    #expect(story.condition?.state == .stalled)
    story.handle(.recovered)
    #expect(story.condition?.state == .publishing)
  }

  @Test(
    arguments: [(.headersChanged, .headersChanged), (.addressChanged, .addressChanged)]
      as [(OutputLifecycle.Event, OutputLifecycle.Cause)])
  func `other headers, or another address, lead to another connection, which continues the publish`(
    event: OutputLifecycle.Event, cause: OutputLifecycle.Cause
  ) {
    var story = publishing()
    #expect(story.handle(event) == [.close, .report(.init(.connecting, cause: cause))])
    #expect(story.handle(event) == [])
    #expect(story.handle(.resumeRequested) == [.report(.init(.connecting)), .open(.append)])
  }

  @Test(arguments: [OutputLifecycle.Event.pauseRequested, .stopRequested])
  func `a pause or stop on the way to other headers is told, and connects no more`(
    event: OutputLifecycle.Event
  ) {
    var story = publishing()
    story.handle(.headersChanged)
    #expect(story.handle(event) == [.report(.init(.closed))])
    #expect(story.handle(.proven) == [])
  }

  @Test func `an end in order proves a publish that other headers end`() {
    var story = OutputStory(after: [.startRequested, .accepted, .headersChanged])
    #expect(story.handle(.proven) == [.report(.init(.publishing))])
    #expect(story.handle(.resumeRequested).last == .open(.append))
  }

  @Test(
    arguments: [
      [], [.startRequested], [.startRequested, .failed(.closed)], [.startRequested, .failed(.refused)],
      [.startRequested, .accepted, .proven, .stalled], [.startRequested, .accepted, .pauseRequested],
    ] as [[OutputLifecycle.Event]])
  func `other headers wait for the next connection where there is none that works`(
    events: [OutputLifecycle.Event]
  ) {
    var story = OutputStory(after: events)
    let state = story.machine.state
    #expect(story.handle(.headersChanged) == [])
    #expect(story.machine.state == state)
  }

  @Test(
    arguments: [
      [.startRequested], [.startRequested, .failed(.closed)], [.startRequested, .failed(.refused)],
      [.startRequested, .accepted, .proven, .stalled],
    ] as [[OutputLifecycle.Event]])
  func `another address is tried at once where the former one does not work`(
    events: [OutputLifecycle.Event]
  ) {
    var story = OutputStory(after: events)
    let hasPublished = story.hasPublished
    #expect(story.handle(.addressChanged).last == .open(hasPublished ? .append : .record))
    #expect(story.machine.state == .connecting && story.problems.isEmpty)
  }

  @Test(arguments: [OutputFailure.refused, .certificate, .unsupported])
  func `an output that accepts no refusal tries on`(failure: OutputFailure) {
    var story = OutputStory(acceptsRefusals: false)
    story.handle(.startRequested)
    for _ in 0..<5 {
      story.handle(.failed(failure))
      #expect(story.condition?.state == .waiting && story.condition?.cause == .failure(failure))
      #expect((2.5...5).contains(story.condition?.retryIn?.seconds ?? 0))
      story.fireTimer()
    }
  }

  @Test func `only the first five redirections are followed at once`() {
    var story = OutputStory(after: [.startRequested])
    for _ in 0..<5 {
      story.handle(.failed(.moved))
      #expect(story.condition?.retryIn == .zero)
      story.fireTimer()
    }
    story.handle(.failed(.moved))
    #expect(story.condition?.retryIn ?? .zero > .zero)
  }

  @Test func `every sequence of five events keeps an output's invariants`() {
    var walked = 0
    func walk(_ story: OutputStory, depth: Int, path: [OutputLifecycle.Event]) -> [OutputLifecycle.Event]? {
      walked += 1
      if !story.problems.isEmpty { return path }
      guard depth > 0 else { return nil }
      for event in Self.events {
        var next = story
        next.now = next.now + .milliseconds(700)
        next.handle(event)
        if let failing = walk(next, depth: depth - 1, path: path + [event]) { return failing }
      }
      var fired = story
      fired.fireTimer()
      return walk(fired, depth: depth - 1, path: path + [.timerFired(0)])
    }
    #expect(walk(OutputStory(), depth: 5, path: []) == nil)
    #expect(walked > 100_000)
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `long random lifecycles of an output keep its invariants, and a stop ends each`(seed: UInt64) {
    var choice = SplitMix64(seed: seed)
    for life in 0..<200 {
      var story = OutputStory(
        giveUpAfter: Bool.random(using: &choice) ? .seconds(30) : nil, seed: seed &* 1000 &+ UInt64(life))
      var path: [OutputLifecycle.Event] = []
      for _ in 0..<300 where story.problems.isEmpty {
        story.now = story.now + .milliseconds(Int64.random(in: 0...2000, using: &choice))
        if Int.random(in: 0..<3, using: &choice) == 0 {
          story.fireTimer()
        } else if let event = Self.events.randomElement(using: &choice) {
          path.append(event)
          story.handle(event)
        }
      }
      story.handle(.stopRequested)
      #expect(story.problems.isEmpty, "seed \(seed), life \(life): \(path)")
      #expect(story.machine.state == .closed && !story.isOpen && story.timers.isEmpty)
      guard story.problems.isEmpty else { return }
    }
  }

  private static let events: [OutputLifecycle.Event] =
    [
      .startRequested, .accepted, .proven, .progressed, .stalled, .recovered, .networkChanged,
      .headersChanged, .addressChanged, .pauseRequested, .resumeRequested, .stopRequested, .timerFired(999),
    ]
    + [OutputFailure.closed, .nameTaken, .refused, .closedBeforeAccepted, .moved, .stopped].map {
      .failed($0)
    }
}
