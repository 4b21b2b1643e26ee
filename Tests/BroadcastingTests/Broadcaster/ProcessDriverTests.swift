import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPlatform
import HoldfastRecording
import Testing

@testable import HoldfastBroadcasting

@Suite struct ProcessDriverTests {
  private static let ended = BroadcastAnswer.ended(Broadcast.Outcome(report: nil, failure: nil))

  @Test func `a start opens the devices, then a broadcast, and then goes live`() {
    var story = ProcessStory()
    #expect(story.start() == ["open 1"])
    #expect(story.handle(.opened(1, ProcessStory.tracks)) == ["openBroadcast new", "goLive"])
    #expect(story.state == .starting)
    story.answer(.wentLive)
    #expect(story.state == .live && story.events == [.starting])
  }

  @Test func `a command that is not possible now is refused and changes nothing`() {
    var story = ProcessStory.live()
    let (result, calls) = story.perform(.resume, until: story.now.monotonic)
    #expect(result == .refused(.notInterrupted, .live))
    #expect(calls == [] && story.state == .live)
  }

  @Test func `a command after its time limit is ignored`() {
    var story = ProcessStory.live()
    let (result, calls) = story.perform(.interrupt, until: story.now.monotonic - .milliseconds(1))
    #expect(result == nil && calls == [] && story.state == .live)
  }

  @Test(arguments: [Lifecycle.Cause.user, .system, .device])
  func `an interruption pauses the broadcast, and the resume names its cause`(cause: Lifecycle.Cause) {
    var story = ProcessStory.live()
    // Only the user's word keeps a later process off air.
    let isUser = cause == .user
    #expect(
      story.handle(.lifecycle(.interruptionBegan(cause)))
        == (isUser ? ["keep interrupted"] : []) + ["pause", "reportInterrupted \(cause.rawValue)"])
    #expect(story.answer(.paused) == [])
    #expect(
      story.handle(.lifecycle(.interruptionEnded(cause)))
        == (isUser ? ["keep onAir"] : []) + ["resume after \(cause.rawValue)"])
    #expect(story.state == .live)
  }

  @Test func `the preview and the next start are reported after the end of the last broadcast`() {
    var story = ProcessStory.opened { $0.session.preview = true }
    story.command(.start)
    story.answer(.wentLive)
    #expect(story.events == [.previewing, .starting])
    story.command(.end)
    #expect(story.state == .previewing && story.events == [.previewing, .starting])
    story.answer(Self.ended)
    #expect(story.events == [.previewing, .starting, .previewing])
  }

  @Test func `an id says when its broadcast or preview began`() {
    var ids = ["first", "preview", "start", "again"]
    var broadcasts = RunningBroadcasts(resuming: nil) { ids.removeFirst() }
    #expect(broadcasts.id(in: .idle) == "first")
    broadcasts.enter(.previewing)
    #expect(broadcasts.id(in: .previewing) == "preview")
    broadcasts.enter(.starting)
    #expect(broadcasts.begin(.open).id == "start" && broadcasts.id(in: .live) == "start")
    #expect(broadcasts.begin(.open).id == "again")
    var resumed = RunningBroadcasts(resuming: "left") { "new" }
    resumed.enter(.previewing)
    #expect(resumed.begin(.onAir).id == "left" && resumed.begin(.open).id == "new")
  }

  @Test func `the background ends the broadcast, and calls back once the devices are closed`() {
    var story = ProcessStory.live()
    let isAtRest = Locked(false)
    let background = ProcessEvent.background(isSleep: false, atRest: { isAtRest.withLock { $0 = true } })
    #expect(story.handle(background) == ["keep backgrounded", "stop background"])
    #expect(story.journal == [.backgrounded])
    #expect(story.answer(Self.ended) == ["release", "close"])
    #expect(isAtRest.withLock { !$0 })
    story.handle(.closed)
    #expect(isAtRest.withLock { $0 })
  }

  @Test(arguments: [Lifecycle.Command.interrupt, .background])
  func `a stop ends being off air, but not while the machine is shutting down`(command: Lifecycle.Command) {
    func calls(_ shutdown: [Bool]) -> [String] {
      var story = ProcessStory.live()
      story.command(command)
      for isNear in shutdown { story.handle(.shutdown(isNear: isNear)) }
      return story.command(.stop).filter { $0.hasPrefix("keep") }
    }
    #expect(calls([]) == ["keep onAir"])
    #expect(calls([true]) == [])
    #expect(calls([true, false]) == ["keep onAir"])
  }

  @Test func `a return during a shutdown ends being off air`() {
    var story = ProcessStory.live()
    story.command(.interrupt)
    story.answer(.paused)
    story.handle(.shutdown(isNear: true))
    #expect(story.command(.resume) == ["keep onAir", "resume after user"])
  }

  @Test func `a source switch is answered once, and a late answer is ignored`() {
    var story = ProcessStory.live()
    let answers = Locked<[ChangeError?]>([])
    let change = SourceChange.video(.test)
    let request = ProcessRequest.switchSource(
      change, answer: { error in answers.withLock { $0.append(error) } })
    let limit = story.now.monotonic
    #expect(story.handle(.request(request, until: limit)) == ["change video"])
    story.handle(.switched(nil))
    story.handle(.switched(.isOver))
    #expect(answers.withLock { $0 } == [nil])
    #expect(story.events.last == .source(track: .video, source: change.source))
  }

  // MARK: - The gate

  /// Waiting for the answer to question 3.
  private func askingGate(onTimeout policy: GateTimeoutPolicy = .pass, awaitsReady: Bool = false)
    -> ProcessStory
  {
    var story = ProcessStory(hasGate: true) {
      ($0.session.gate.onTimeout, $0.session.gate.awaitsReady) = (policy, awaitsReady)
    }
    story.start()
    #expect(story.handle(.opened(1, ProcessStory.tracks)) == ["openBroadcast new", "prepare"])
    #expect(story.answer(.prepared) == ["askGate 3 start"])
    return story
  }

  @Test func `an interruption withdraws the question to the gate, and a late answer is ignored`() {
    var story = askingGate()
    #expect(story.command(.interrupt) == ["keep interrupted", "cancelGate", "stop interruptedStart"])
    #expect(story.handle(.gateAnswered(3, nil)) == [])
    #expect(story.state.name == "interrupted" && !story.events.contains(.gate(.passed, reason: nil)))
  }

  @Test func `a refusal by the gate ends the broadcast with the gate's reason`() {
    var story = askingGate()
    let refusal = GateError(.refused, underlying: CommandGate.Failure.exited(3, said: "too dark"))
    #expect(story.handle(.gateAnswered(3, refusal)) == ["stop gateRefused"])
    #expect(story.events.last == .gate(.refused, reason: "too dark"))
    #expect(story.answer(Self.ended) == ["release", "close"])
    let failure = story.driver.status.failure.map { "\($0)" } ?? "none"
    #expect(failure.contains("too dark"))
  }

  @Test(arguments: [(GateTimeoutPolicy.pass, "goLive"), (.refuse, "stop gateTimedOut")])
  func `a gate that does not answer in time is reported and cancelled`(
    policy: GateTimeoutPolicy, request: String
  ) {
    var story = askingGate(onTimeout: policy)
    story.handle(.gateBegan(3))
    #expect(story.pass(.seconds(5)) == ["cancelGate", request])
    #expect(story.events.last == .gate(.timedOut, reason: nil))
  }

  @Test(arguments: [GateTimeoutPolicy.pass, .refuse])
  func `a gate that has not begun in time refuses, whatever is configured`(policy: GateTimeoutPolicy) {
    var story = askingGate(onTimeout: policy)
    #expect(story.pass(.seconds(5)) == ["cancelGate", "stop gateRefused"])
    guard case .gate(.refused, let reason?, _) = story.events.last else {
      Issue.record("\(story.events)")
      return
    }
    #expect(reason.contains("did not begin"))
    story.answer(Self.ended)
    guard case .gate = story.driver.status.failure else {
      Issue.record("\(story.driver.status.failure as Any)")
      return
    }
  }

  // MARK: - Ready

  private func awaitingReady(startedBy person: String? = nil) -> ProcessStory {
    var story = ProcessStory.opened { ($0.session.gate.awaitsReady, $0.session.preview) = (true, true) }
    _ = story.perform(.start, by: person, until: story.now.monotonic)
    return story
  }

  private func isAsked(_ story: ProcessStory) -> Bool { story.events.contains(.gate(.asked, reason: nil)) }

  @Test func `somebody else than the caller of the start says ready, and the event and the journal say who`()
  {
    var story = awaitingReady(startedBy: "Anna")
    story.answer(.prepared)
    #expect(story.ready(by: "Anna") == .isOwnStart && story.driver.status.gate.awaitsReady)
    #expect(story.ready(by: "Max") == .accepted && !story.driver.status.gate.awaitsReady)
    #expect(story.events.last == .gate(.passed, reason: nil, by: "Max"))
    #expect(story.journal.contains(.gate(verdict: "passed", reason: nil, by: "Max")))
    #expect(story.driver.status.gate.by == "Max")
    #expect(story.ready(by: "Max") == .isNotAwaited(.starting))
  }

  @Test func `anybody may say ready to a start by the command line`() {
    var story = awaitingReady()
    story.answer(.prepared)
    #expect(story.ready(by: "local") == .accepted)
    #expect(story.events.last == .gate(.passed, reason: nil, by: "local"))
  }

  @Test func `ready before the question is kept, and counts once it is asked`() {
    var story = awaitingReady(startedBy: "Anna")
    #expect(story.ready(by: "Anna") == .isOwnStart)
    #expect(story.ready(by: "Max") == .accepted && !isAsked(story))
    story.answer(.prepared)
    #expect(isAsked(story) && story.events.last == .gate(.passed, reason: nil, by: "Max"))
  }

  @Test func `a refusal before the question is kept, and only its author can lift it`() {
    var story = awaitingReady(startedBy: "Anna")
    #expect(story.ready(false, "too dark", by: "Max") == .accepted)
    #expect(story.ready(by: "Pia") == .isAnswered(by: "Max"))
    #expect(story.answer(.prepared) == ["stop gateRefused"])
    #expect(story.events.contains(.gate(.refused, reason: "too dark", by: "Max")))
    var other = awaitingReady(startedBy: "Anna")
    #expect(other.ready(false, by: "Max") == .accepted && other.ready(by: "Max") == .accepted)
    #expect(other.answer(.prepared) == ["goLive"])
  }

  @Test func `a kept answer is gone with its start`() {
    var story = awaitingReady(startedBy: "Anna")
    #expect(story.ready(by: "Max") == .accepted)
    story.command(.end)
    story.answer(Self.ended)
    // Nobody has called the next start yet.
    #expect(story.state == .previewing && story.ready(by: "Anna") == .accepted)
    _ = story.perform(.start, by: "Anna", until: story.now.monotonic)
    story.answer(.prepared)
    #expect(story.events.last == .gate(.asked, reason: nil))
  }

  @Test func `an interruption withdraws the question and the answer to it`() {
    var story = askingGate(awaitsReady: true)
    #expect(story.ready(by: "Max") == .accepted)
    #expect(story.command(.interrupt) == ["keep interrupted", "cancelGate", "stop interruptedStart"])
    story.answer(Self.ended)
    story.command(.resume)
    story.answer(.prepared)
    #expect(story.events.last == .gate(.asked, reason: nil) && story.driver.status.gate.awaitsReady)
  }

  @Test func `ready and another gate have to pass, in either order`() {
    var story = askingGate(awaitsReady: true)
    #expect(story.handle(.gateAnswered(3, nil)) == [] && story.ready(by: "Max") == .accepted)
    #expect(story.events.last == .gate(.passed, reason: nil, by: "Max"))
    var other = askingGate(awaitsReady: true)
    #expect(other.ready(by: "Max") == .accepted && other.ready(by: "Pia") == .isAnswered(by: "Max"))
    #expect(other.events.last == .gate(.asked, reason: nil))
    #expect(other.handle(.gateAnswered(3, nil)) == ["goLive"])
    #expect(other.events.last == .gate(.passed, reason: nil, by: "Max"))
  }

  @Test func `somebody's refusal cancels the other gate`() {
    var story = askingGate(awaitsReady: true)
    #expect(story.ready(false, by: "Max") == .accepted)
    #expect(story.latest == ["cancelGate", "stop gateRefused"])
    #expect(story.events.last == .gate(.refused, reason: "Max said that it is not ready", by: "Max"))
  }

  @Test func `ready that nobody awaits is refused`() {
    var story = ProcessStory.live()
    #expect(story.ready(by: "Max") == .isNotAwaited(.live))
    var previewing = ProcessStory { $0.session.preview = true }
    previewing.start()
    #expect(previewing.ready(by: "Max") == .isNotAwaited(.previewing))
  }

  @Test func `a start that no output takes in time fails`() {
    var story = ProcessStory.opened { $0.session.startTimeout = .seconds(20) }
    #expect(story.pass(.seconds(19)) == [])
    #expect(story.pass(.seconds(1)) == ["stop failed"])
  }

  @Test func `an interruption before anything has gone out starts afresh`() {
    var story = ProcessStory.opened()
    #expect(story.command(.interrupt) == ["keep interrupted", "pause", "reportInterrupted user"])
    #expect(story.answer(.nothingBegun) == ["stop interruptedStart"])
    #expect(story.answer(Self.ended) == ["release"])
    #expect(story.command(.resume) == ["keep onAir", "openBroadcast new", "goLive"])
  }

  // MARK: - After a crash

  private func crashed() throws -> Resumption {
    let instant = JournalInstant(
      wall: WallTime(nanoseconds: 1_795_234_930_000_000_000), sinceBoot: .seconds(5000), bootID: "boot")
    let entries: [JournalEntry] = [.began(.init(broadcast: "crashed", name: "hall")), .live(.record)]
    let lines = entries.map { "\(JournalRecord(at: instant, $0))\n" }.joined()
    let broadcast = try #require(UnfinishedBroadcast(Journal(Array(lines.utf8))))
    return Resumption(broadcast, recordedUntil: .seconds(10), window: .seconds(120), at: instant)
  }

  @Test func `a crashed broadcast that was off air waits for the user, with its own cause`() throws {
    let since = JournalInstant(wall: WallTime(nanoseconds: 0), sinceBoot: .zero, bootID: "boot")
    var story = ProcessStory(
      resuming: try crashed(), offAir: OffAirRecord(isBackgrounded: false, since: since))
    #expect(story.start() == ["keep interrupted", "open 2"])
    #expect(story.state.name == "interrupted" && story.driver.status.offAir?.since == since)
    #expect(story.handle(.opened(2, ProcessStory.tracks)) == ["openBroadcast crashed"])
    #expect(story.command(.resume) == ["keep onAir", "resume after user"])
  }

  @Test func `a crashed broadcast resumes once its sources are open`() throws {
    var story = ProcessStory(resuming: try crashed())
    #expect(story.start() == ["open 2"])
    #expect(story.handle(.opened(2, ProcessStory.tracks)) == ["openBroadcast crashed", "resume after crash"])
  }
}
