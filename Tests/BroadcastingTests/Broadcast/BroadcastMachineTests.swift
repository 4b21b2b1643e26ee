import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPublishing
import HoldfastRecording
import Testing

@testable import HoldfastBroadcasting

/// From the start of a broadcast to its end.
@Suite struct BroadcastMachineTests {
  private static let brokenDisk = BroadcastMachine.Event.recorder(
    .failed(RecordingError(path: "a.mp4", CancellationError()), bytes: 5))

  @Test(arguments: [
    MachineCase(
      "a broadcast is prepared once every output is connected or has failed",
      MachineStory(outputs: ["a", "b"]),
      ([.started, .opened, .request(.prepare)], ["open", "outputs prepare"]),
      ([.output("a", .firstAttemptFinished)], []),
      ([.output("b", .firstAttemptFinished)], ["answer prepared"]),
      ([.request(.goLive)], ["outputs publish", "write live", "run"])),
    MachineCase(
      "a broadcast without outputs is prepared at once", MachineStory(),
      ([.started, .opened, .request(.prepare)], ["…", "answer prepared"])),
    MachineCase(
      "a recording waits for no output", MachineStory(outputs: ["a"]),
      ([.started, .opened, .request(.goLive)], ["open", "outputs publish", "write live", "run"])),
    MachineCase(
      "a recorded broadcast is live once its first recording is open", MachineStory(),
      ([.started, .opened, .request(.goLive)], nil), ([.begun], ["answer mediaBegan"]),
      ([.recorder(.opened(path: "a.mp4"))], ["report recording", "report live", "answer wentLive"]),
      ([.recorder(.opened(path: "b.mp4"))], ["report recording"])),
    MachineCase(
      "without a recording media time begins with the first acceptance, and live follows publishing",
      MachineStory(outputs: ["a", "b"], isRecorded: false),
      ([.started, .opened, .request(.goLive)], ["…", "outputs publish"]),
      ([.changed("a", .waiting)], ["report output"]), ([.output("b", .accepted)], ["write live", "run"]),
      ([.begun], ["answer mediaBegan"]),
      (
        [.changed("b", .publishing)],
        ["write outputAccepted", "report output", "report live", "answer wentLive", "report air"]
      )),
    // Should the answer come too late, an acceptance in flight begins nothing, and a resume starts afresh.
    MachineCase(
      "a broadcast that an interruption finds without an acceptance has nothing to resume",
      MachineStory(outputs: ["a"], isRecorded: false), ([.started, .opened, .request(.goLive)], nil),
      ([.pause], ["outputs pause", "answer nothingBegun"]), ([.output("a", .accepted)], []),
      ([.resume], ["outputs publish"])),
    MachineCase(
      "a stop requested while opening takes effect once everything is open", MachineStory(),
      ([.started, .stop], ["open"]), ([.opened], ["report ending", "finish"])),
    MachineCase(
      "a failed start finishes the broadcast and reports its end", MachineStory(),
      ([.started, .openingFailed(.system("no thread"))], ["open", "report ending", "finish"]),
      (
        [.finished(mediaTime: .zero)],
        ["write ended", "report ended", "write reported", "answer over", "answer ended"]
      )),
    MachineCase(
      "an output's publish is journaled once it is proven", MachineStory(outputs: ["a"]),
      ([.started, .opened], nil), ([.output("a", .accepted)], []),
      ([.changed("a", .publishing)], ["write outputAccepted", "…"])),
    MachineCase(
      "an interruption is journaled before it is reported", .onAir(),
      (
        [.request(.reportInterrupted(.user, until: WallTime(nanoseconds: 0)))],
        ["write interrupted", "report interrupted"]
      )),
    MachineCase(
      "a recording continues without outputs", .onAir(outputs: ["a"]),
      ([.changed("a", .refused)], ["report output", "report air"]), ([brokenDisk], ["…", "finish"])),
    MachineCase(
      "outputs continue without a recording", .onAir(outputs: ["a"]), ([brokenDisk], ["report recording"])),
    MachineCase(
      "the slowest output sets the bitrate for as long as it publishes", .onAir(outputs: ["a", "b"]),
      ([.asks("a", 500_000)], ["bitrate 500000"]), ([.asks("b", 900_000)], []),
      ([.changed("a", .waiting)], ["bitrate 900000", "…"])),
  ])
  func `a broadcast answers each event`(machine: MachineCase) { machine.check() }

  @Test func `a recording that failed before does not keep a broadcast from going live`() {
    var story = MachineStory(outputs: ["a"])
    story.handle([.started, .opened, Self.brokenDisk, .request(.goLive)])
    story.handle([.output("a", .accepted), .begun, .changed("a", .publishing)])
    #expect(story.actions.contains { $0.words == "report live" })
  }

  private func air(_ story: MachineStory) -> [AirState] {
    story.actions.compactMap { if case .report(.air(let state)) = $0 { state } else { nil } }
  }

  @Test func `on air is told apart from live, and as not there where no output takes the broadcast`() {
    var story = MachineStory.onAir(outputs: ["a", "b"])
    story.handle([.changed("a", .waiting), .changed("b", .stalled), .changed("a", .publishing)])
    story.handle([.changed("b", .publishing), .pause])
    #expect((air(story), air(MachineStory.onAir())) == ([.some, .all, .some, .none, .some, .all, .off], []))
    story = MachineStory(outputs: ["a"])
    story.handle([.started, .opened, .request(.goLive), .begun])
    story.handle(.recorder(.opened(path: "a.mp4")))
    #expect(air(story) == [])
    story.handle([.changed("a", .waiting), .output("a", .firstAttemptFinished)])
    #expect(air(story) == [.none])
  }

  @Test(arguments: [false, true])
  func `a return gives the outputs the time for an attempt and its first media`(isAccepted: Bool) {
    var story = MachineStory.paused(outputs: ["a"])
    let accepted: [BroadcastMachine.Event] = [.output("a", .accepted), .output("a", .firstAttemptFinished)]
    story.handle([.resume, .changed("a", .connecting)])
    story.handle(isAccepted ? accepted : [.reconnectTimedOut])
    story.handle([.begun, .changed("a", .publishing)])
    #expect(air(story) == [.all, .off, .all])
  }

  /// A recorded broadcast with an output in each of these states, stopped.
  private func failure(
    _ states: [OutputLifecycle.Condition.State], requiresAll: Bool = false
  ) -> BroadcastError? {
    let ids = states.indices.map { "out\($0)" }
    var story = MachineStory(outputs: ids, requiresAllOutputs: requiresAll)
    story.handle([.started, .opened, .request(.goLive), .begun])
    for (id, state) in zip(ids, states) { story.handle(.changed(id, state, "why")) }
    story.handle(.stop)
    for id in ids { story.handle(.changed(id, .closed)) }
    story.handle(.finished(mediaTime: .seconds(1)))
    return story.outcome?.failure
  }

  @Test(
    arguments: [
      ([.publishing, .waiting], false, "none"), ([], false, "none"),
      ([.waiting, .refused], false, #"notDelivered(["out0: why", "out1: why"])"#),
      ([.refused, .refused], false, "refused"), ([.publishing, .publishing], true, "none"),
      ([.publishing, .waiting], true, #"notDelivered(["out1: why"])"#),
    ] as [([OutputLifecycle.Condition.State], Bool, String)])
  func `a broadcast that was delivered nowhere, or not to every output that is required, has failed`(
    states: [OutputLifecycle.Condition.State], requiresAll: Bool, wanted: String
  ) {
    let failure = failure(states, requiresAll: requiresAll)
    switch failure {
    case .notDelivered(let reasons): #expect("notDelivered(\(reasons))" == wanted)
    case .refused: #expect(wanted == "refused")
    default: #expect(failure == nil && wanted == "none")
    }
  }

  @Test func `a broadcast that every output refuses ends instead of going live`() {
    var story = MachineStory(outputs: ["a"], isRecorded: false)
    #expect(story.handle([.started, .opened, .changed("a", .refused, "no")]).last == "finish")
    story.handle(.finished(mediaTime: .zero))
    guard case .refused = story.outcome?.failure else {
      Issue.record("\(story.outcome as Any)")
      return
    }
    #expect(story.outcome?.report == nil)
  }

  @Test func `an end is journaled and reported before it is answered`() {
    var story = MachineStory.onAir()
    let events: [[BroadcastMachine.Event]] = [
      [.stop], [.mediaPaused(story.start()), .lane(.stopped(.video))], [.lane(.stopped(.audio))],
      [.recorder(.finished(path: "a.mp4", bytes: 7)), .finished(mediaTime: .seconds(3))],
    ]
    #expect(
      events.map { story.handle($0) } == [
        ["pause in 150", "pause"], [], ["no pause", "pauseWithoutPicture", "report ending", "finish"],
        ["report recording", "write ended", "report ended", "write reported", "answer over", "answer ended"],
      ])
    #expect(story.outcome?.report?.recordedBytes == 7 && story.outcome?.report?.duration == .seconds(3))
  }

  @Test(arguments: [BroadcastMachine.Event.pauseTimedOut(isBehind: true), .mediaPaused(nil)])
  func `an end waits neither for lanes that are behind nor for media that has not begun`(
    event: BroadcastMachine.Event
  ) {
    var story = MachineStory.onAir()
    story.handle([.stop, .pause, .resume])
    #expect(story.handle(event) == ["no pause", "pauseWithoutPicture", "report ending", "finish"])
  }

  @Test func `the first reason to stop counts, unless a failure follows`() {
    var story = MachineStory.onAir()
    story.handle([.request(.stop(.windowClosed)), .stop, .finished(mediaTime: .zero)])
    guard case .answer(.over(.windowClosed)) = story.actions.suffix(2).first else {
      Issue.record("\(story.actions)")
      return
    }
    var failing = MachineStory.onAir()
    failing.handle([.stop, .lane(.encodingFailed(.video, "gone")), .finished(mediaTime: .zero)])
    guard case .answer(.over(.failed)) = failing.actions.suffix(2).first else {
      Issue.record("\(failing.actions)")
      return
    }
  }

  @Test func `a loss while the broadcast ends is still reported`() {
    var story = MachineStory.onAir()
    let loss = TrackLoss(track: .video, cause: .source, mediaAt: .zero, duration: .seconds(1))
    #expect(story.handle([.stop, .lane(.lost(loss))]).suffix(2) == ["write gap", "report gap"])
    story.handle(.finished(mediaTime: .seconds(3)))
    #expect(story.outcome?.report?.gaps.count == 1)
  }

  @Test func `a track has two seconds left once the other reaches the requested end`() {
    var story = MachineStory.onAir(hasDuration: true)
    let end = BroadcastMachine.Event.lane(.finished(.video, hasReachedEnd: true, selfEnding: []))
    #expect(
      (story.handle(end), story.handle(.drainTimedOut)) == (["drain in 2000"], ["report ending", "finish"]))
    story.handle(.finished(mediaTime: .seconds(3)))
    guard case .answer(.over(.duration)) = story.actions.suffix(2).first else {
      Issue.record("\(story.actions)")
      return
    }
  }

  @Test(arguments: [([.audio], false), ([], true)] as [(Set<TrackKind>, Bool)])
  func `only a track that ends by itself delays the end`(selfEnding: Set<TrackKind>, isOver: Bool) {
    var story = MachineStory.onAir()
    let end = BroadcastMachine.Event.lane(.finished(.video, hasReachedEnd: false, selfEnding: selfEnding))
    #expect(story.handle(end) == (isOver ? ["report ending", "finish"] : []))
  }

  @Test func `a loss while an output publishes does not count towards an outage`() {
    var story = MachineStory.onAir(outputs: ["a"])
    let changes: [OutputLifecycle.Condition.State] = [.waiting, .publishing]
    let losses = changes.map { (state) -> MediaTime in
      var loss = OutputLoss()
      loss.add(.video, at: .seconds(1), .milliseconds(state == .waiting ? 10 : 2000))
      story.handle([.output("a", .lost(loss)), .output("a", .changed(.init(state), reason: nil))])
      for case .report(.output(let report)) in story.actions.reversed() { return report.loss.video }
      return .zero
    }
    #expect(losses == [.zero, .seconds(2)])
  }

  private static let renditions = [
    PlannedRendition(.main, "640x360", bitrate: 2_000_000, isRecorded: true, outputs: ["a"]),
    PlannedRendition(.named("low"), "320x180", bitrate: 500_000, outputs: ["b", "c"]),
  ]

  @Test func `an output's bitrate is that of its rendition`() {
    var story = MachineStory.onAir(outputs: ["a", "b", "c"], renditions: Self.renditions)
    story.handle(.output("b", .bitrateRequested(300_000, reason: "slow")))
    guard case .request(.bitrate(let change))? = story.actions.last else {
      Issue.record("no bitrate is requested")
      return
    }
    #expect(change.bitsPerSecond == 300_000 && change.rendition == .named("low"))
    #expect(story.handle(.output("c", .bitrateRequested(400_000, reason: "slow"))) == [])
  }

  private static func sharing() -> MachineStory {
    var story = MachineStory.onAir(
      outputs: ["a", "b"],
      renditions: [
        PlannedRendition(.main, "640x360", bitrate: 2_000_000, isRecorded: true, outputs: ["a", "b"])
      ], sharedBitrates: ["a": 2_000_000])
    story.handle(.loadRead(EncodingLoad(encode: 0.2, idle: 1)))
    return story
  }

  @Test(arguments: [
    MachineCase(
      "an output that shares gets an encode of its own while its network is weak", sharing(),
      ([.asks("a", 500_000)], ["own a 500000", "report bitrate"]),
      ([.asks("a", 400_000)], ["bitrate 400000"]),
      ([.changed("a", .waiting)], ["share a", "note", "report output", "report air"])),
    MachineCase(
      "an output with no encode of its own drops, which is said once", sharing(), ([.load(idle: 0)], nil),
      ([.asks("a", 500_000)], ["warning"]), ([.asks("a", 400_000)], []),
      ([.load(idle: 1)], ["own a 400000", "report bitrate"]),
      ([.lane(.encodeFailed(.own(output: "a"), why: "no"))], ["warning", "share a", "note"])),
    MachineCase(
      "an output that is to lower what it shares does so", sharing(),
      ([.asks("b", 500_000)], ["bitrate 500000"])),
  ])
  func `outputs that share an encode answer weak networks`(machine: MachineCase) { machine.check() }

  @Test func `a rendition ends when all of its outputs are refused, or the recording has failed`() {
    var story = MachineStory.onAir(outputs: ["a", "b", "c"], renditions: Self.renditions)
    let actions = ["b", "c", "a"].map { story.handle(.changed($0, .refused, "no")) }
    #expect(actions.map { $0.filter { $0.hasPrefix("use") } } == [[], ["use main"], []])
  }

  /// Its outputs use `main` and `low`, and its viewers may choose `tiny`, too.
  private static func watchable() -> MachineStory {
    let tiny = PlannedRendition(.named("tiny"), "320x180", bitrate: 300_000)
    var story = MachineStory.onAir(
      outputs: ["a", "b", "c"], renditions: renditions, viewable: renditions + [tiny])
    story.handle(.load(idle: 1))
    return story
  }

  @Test(arguments: [
    MachineCase(
      "a rendition that only viewers want begins with them and ends a while after they have left",
      watchable(), ([.viewersRead([.main, .named("tiny")])], ["use low main tiny"]),
      ([.viewersRead([.main])], []), ([.load(idle: 1)], ["use low main"])),
    MachineCase(
      "a rendition without outputs goes on for its viewers", watchable(),
      ([.viewersRead([.named("low")])], []), ([.changed("b", .refused)], ["report output", "report air"]),
      ([.changed("c", .refused)], ["report output"]), ([.viewersRead([])], []),
      ([.load(idle: 1)], ["use main"])),
    MachineCase(
      "what viewers can't have is refused, and an encoder of theirs that fails costs nobody else anything",
      watchable(), ([.viewersRead([.named("tiny")])], nil),
      (
        [.lane(.encodeFailed(.named("tiny"), why: "no"))],
        ["warning", "refuse tiny: its encoder has failed: no", "use low main"]
      ), ([.lane(.encodeFailed(.named("tiny"), why: "no"))], [])),
    MachineCase(
      "on a machine that is too busy viewers lose their encode before an output does", watchable(),
      ([.viewersRead([.named("tiny")])], nil),
      (
        [.loadRead(EncodingLoad(encode: 0.2, idle: 1, isOverloaded: true))],
        ["refuse tiny: the machine is overloaded", "use low main"]
      )),
  ])
  func `renditions run for outputs, the recording and viewers`(machine: MachineCase) {
    machine.check(every: .seconds(5))
  }
}

@Suite struct BitrateVotesTests {
  @Test func `a new highest bitrate takes effect if no network objects, and votes above it count as it`() {
    var votes = BitrateVotes(highest: 2_000_000)
    #expect([1_000_000, 1_000_000, 3_000_000].map { votes.limit(to: $0) } == [1_000_000, nil, 3_000_000])
    votes = BitrateVotes(highest: 2_000_000)
    #expect([votes.vote(500_000, by: "a"), votes.limit(to: 3_000_000)] == [500_000, nil])
    #expect(votes.vote(nil, by: "a") == 3_000_000)
    votes = BitrateVotes(highest: 2_000_000)
    #expect([votes.limit(to: 1_000_000), votes.vote(1_500_000, by: "a")] == [1_000_000, nil])
  }
}
