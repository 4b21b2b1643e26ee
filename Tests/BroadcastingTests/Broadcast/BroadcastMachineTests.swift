import HoldfastCapture
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPublishing
import HoldfastRecording
import Testing

@testable import HoldfastBroadcasting

/// From the start of a broadcast to its end.
@Suite struct BroadcastMachineTests {
  private static let refused = BroadcastMachine.Event.output("a", .changed(.init(.refused), reason: "no"))
  private static let brokenDisk = RecordingError(path: "a.mp4", CancellationError())

  private static func changed(
    _ output: String, _ state: OutputLifecycle.Condition.State, _ reason: String? = nil
  ) -> BroadcastMachine.Event { .output(output, .changed(.init(state), reason: reason)) }

  @Test func `a broadcast is prepared once every output is connected or has failed`() {
    var story = MachineStory(outputs: ["a", "b"])
    let actions = story.handle([.started, .opened, .request(.prepare)])
    #expect(actions == ["open", "outputs prepare"])
    #expect(story.handle(.output("a", .firstAttemptFinished)) == [])
    #expect(story.handle(.output("b", .firstAttemptFinished)) == ["answer prepared"])
    #expect(story.handle(.request(.goLive)) == ["outputs publish", "write live", "run"])
  }

  @Test func `a broadcast without outputs is prepared at once`() {
    var story = MachineStory()
    #expect(story.handle([.started, .opened, .request(.prepare)]).last == "answer prepared")
  }

  @Test func `a recording waits for no output`() {
    var story = MachineStory(outputs: ["a"])
    #expect(
      story.handle([.started, .opened, .request(.goLive)]) == [
        "open", "outputs publish", "write live", "run",
      ])
  }

  @Test func `a recorded broadcast is live once its first recording is open`() {
    var story = MachineStory()
    story.handle([.started, .opened, .request(.goLive)])
    #expect(story.handle(.lane(.started(story.start()))) == ["answer mediaBegan"])
    #expect(
      story.handle(.recorder(.opened(path: "a.mp4"))) == [
        "report recording", "report live", "answer wentLive",
      ])
    #expect(story.handle(.recorder(.opened(path: "b.mp4"))) == ["report recording"])
  }

  @Test func `without a recording media time begins with the first acceptance, and live follows publishing`()
  {
    var story = MachineStory(outputs: ["a", "b"], isRecorded: false)
    #expect(story.handle([.started, .opened, .request(.goLive)]).last == "outputs publish")
    #expect(story.handle(Self.changed("a", .waiting)) == ["report output"])
    #expect(story.handle(.output("b", .accepted)) == ["write live", "run"])
    #expect(story.handle(.lane(.started(story.start()))) == ["answer mediaBegan"])
    #expect(
      story.handle(Self.changed("b", .publishing)) == [
        "write outputAccepted", "report output", "report live", "answer wentLive", "report air",
      ])
  }

  @Test func `a broadcast that an interruption finds without an acceptance has nothing to resume`() {
    var story = MachineStory(outputs: ["a"], isRecorded: false)
    story.handle([.started, .opened, .request(.goLive)])
    #expect(story.handle(.request(.pause)) == ["outputs pause", "answer nothingBegun"])
    // Should the answer come too late, an acceptance in flight begins nothing, and a resume starts afresh.
    #expect(story.handle(.output("a", .accepted)) == [])
    #expect(story.handle(.request(.resume(after: .user))) == ["outputs publish"])
  }

  @Test func `a recording that failed before does not keep a broadcast from going live`() {
    var story = MachineStory(outputs: ["a"])
    story.handle([.started, .opened, .recorder(.failed(Self.brokenDisk, bytes: 0)), .request(.goLive)])
    story.handle([.output("a", .accepted), .lane(.started(story.start())), Self.changed("a", .publishing)])
    #expect(story.actions.contains { $0.words == "report live" })
  }

  private func air(_ story: MachineStory) -> [AirState] {
    story.actions.compactMap { if case .report(.air(let state)) = $0 { state } else { nil } }
  }

  @Test func `on air is told apart from live, whenever the outputs that publish change`() {
    var story = MachineStory.onAir(outputs: ["a", "b"])
    story.handle([Self.changed("a", .waiting), Self.changed("b", .stalled), Self.changed("a", .publishing)])
    story.handle([Self.changed("b", .publishing), .request(.pause)])
    #expect(air(story) == [.some, .all, .some, .none, .some, .all, .off])
    #expect(air(MachineStory.onAir()) == [])
  }

  @Test(arguments: [false, true])
  func `a return gives the outputs the time for an attempt and its first media`(isAccepted: Bool) {
    var story = MachineStory.paused(outputs: ["a"])
    let accepted: [BroadcastMachine.Event] = [.output("a", .accepted), .output("a", .firstAttemptFinished)]
    story.handle([.request(.resume(after: .user)), Self.changed("a", .connecting)])
    story.handle(isAccepted ? accepted : [.reconnectTimedOut])
    story.handle([.lane(.started(story.start())), Self.changed("a", .publishing)])
    #expect(air(story) == [.all, .off, .all])
  }

  @Test func `a live broadcast that no output takes is told as not on air`() {
    var story = MachineStory(outputs: ["a"])
    story.handle([.started, .opened, .request(.goLive), .lane(.started(story.start()))])
    story.handle(.recorder(.opened(path: "a.mp4")))
    #expect(air(story) == [])
    story.handle([Self.changed("a", .waiting), .output("a", .firstAttemptFinished)])
    #expect(air(story) == [.none])
  }

  /// A recorded broadcast with an output in each of these states, stopped.
  private func failure(
    _ states: [OutputLifecycle.Condition.State], requiresAll: Bool = false
  ) -> BroadcastError? {
    let ids = states.indices.map { "out\($0)" }
    var story = MachineStory(outputs: ids, requiresAllOutputs: requiresAll)
    story.handle([.started, .opened, .request(.goLive), .lane(.started(story.start()))])
    for (id, state) in zip(ids, states) { story.handle(Self.changed(id, state, "why")) }
    story.handle(.request(.stop(.stopped)))
    for id in ids { story.handle(Self.changed(id, .closed)) }
    story.handle(.finished(mediaTime: .seconds(1)))
    return story.outcome?.failure
  }

  @Test func `a broadcast that was delivered nowhere has failed, though it was recorded`() {
    #expect(failure([.publishing, .waiting]) == nil)
    #expect(failure([]) == nil)
    guard case .notDelivered(["out0: why", "out1: why"]) = failure([.waiting, .refused]) else {
      return #expect(Bool(false))
    }
    guard case .refused = failure([.refused, .refused]) else { return #expect(Bool(false)) }
  }

  @Test func `if every output is required, one that was never reached fails the broadcast`() {
    #expect(failure([.publishing, .publishing], requiresAll: true) == nil)
    guard case .notDelivered(["out1: why"]) = failure([.publishing, .waiting], requiresAll: true) else {
      return #expect(Bool(false))
    }
  }

  @Test func `a broadcast that every output refuses ends instead of going live`() {
    var story = MachineStory(outputs: ["a"], isRecorded: false)
    #expect(story.handle([.started, .opened, Self.refused]).last == "finish")
    story.handle(.finished(mediaTime: .zero))
    guard case .refused = story.outcome?.failure else { return #expect(Bool(false)) }
    #expect(story.outcome?.report == nil)
  }

  @Test func `a recording continues without outputs, and outputs without a recording`() {
    var story = MachineStory.onAir(outputs: ["a"])
    #expect(!story.handle(Self.refused).contains("finish"))
    #expect(story.handle(.recorder(.failed(Self.brokenDisk, bytes: 5))).last == "finish")
    var other = MachineStory.onAir(outputs: ["a"])
    #expect(!other.handle(.recorder(.failed(Self.brokenDisk, bytes: 5))).contains("finish"))
  }

  @Test func `a stop requested while opening takes effect once everything is open`() {
    var story = MachineStory()
    #expect(story.handle([.started, .request(.stop(.stopped))]) == ["open"])
    #expect(story.handle(.opened) == ["report ending", "finish"])
  }

  @Test func `a failed start finishes the broadcast and reports its end`() {
    var story = MachineStory()
    #expect(
      story.handle([.started, .openingFailed(.system("no thread"))]) == ["open", "report ending", "finish"])
    #expect(
      story.handle(.finished(mediaTime: .zero)) == [
        "write ended", "report ended", "write reported", "answer over", "answer ended",
      ])
  }

  @Test func `an end is journaled and reported before it is answered`() {
    var story = MachineStory.onAir()
    #expect(story.handle(.request(.stop(.stopped))) == ["pause in 150", "pause"])
    #expect(story.handle([.mediaPaused(story.start()), .lane(.stopped(.video))]) == [])
    #expect(
      story.handle(.lane(.stopped(.audio))) == ["no pause", "pauseWithoutPicture", "report ending", "finish"])
    #expect(
      story.handle([.recorder(.finished(path: "a.mp4", bytes: 7)), .finished(mediaTime: .seconds(3))]) == [
        "report recording", "write ended", "report ended", "write reported", "answer over", "answer ended",
      ])
    #expect(story.outcome?.report?.recordedBytes == 7 && story.outcome?.report?.duration == .seconds(3))
  }

  @Test(arguments: [BroadcastMachine.Event.pauseTimedOut(isBehind: true), .mediaPaused(nil)])
  func `an end waits neither for lanes that are behind nor for media that has not begun`(
    event: BroadcastMachine.Event
  ) {
    var story = MachineStory.onAir()
    story.handle([.request(.stop(.stopped)), .request(.pause), .request(.resume(after: .user))])
    #expect(story.handle(event) == ["no pause", "pauseWithoutPicture", "report ending", "finish"])
  }

  @Test func `the first reason to stop counts, unless a failure follows`() {
    var story = MachineStory.onAir()
    story.handle([.request(.stop(.windowClosed)), .request(.stop(.stopped)), .finished(mediaTime: .zero)])
    guard case .answer(.over(.windowClosed)) = story.actions.suffix(2).first else {
      return #expect(Bool(false))
    }
    var failing = MachineStory.onAir()
    failing.handle([
      .request(.stop(.stopped)), .lane(.encodingFailed(.video, "gone")), .finished(mediaTime: .zero),
    ])
    guard case .answer(.over(.failed)) = failing.actions.suffix(2).first else { return #expect(Bool(false)) }
  }

  @Test func `a loss while the broadcast ends is still reported`() {
    var story = MachineStory.onAir()
    let loss = TrackLoss(track: .video, cause: .source, mediaAt: .zero, duration: .seconds(1))
    #expect(
      story.handle([.request(.stop(.stopped)), .lane(.lost(loss))]).suffix(2) == ["write gap", "report gap"])
    story.handle(.finished(mediaTime: .seconds(3)))
    #expect(story.outcome?.report?.gaps.count == 1)
  }

  @Test func `a track has two seconds left once the other reaches the requested end`() {
    var story = MachineStory.onAir(hasDuration: true)
    let end = BroadcastMachine.Event.lane(.finished(.video, hasReachedEnd: true, selfEnding: []))
    #expect(story.handle(end) == ["drain in 2000"])
    #expect(story.handle(.drainTimedOut) == ["report ending", "finish"])
    story.handle(.finished(mediaTime: .seconds(3)))
    guard case .answer(.over(.duration)) = story.actions.suffix(2).first else { return #expect(Bool(false)) }
  }

  @Test(arguments: [([.audio], false), ([], true)] as [(Set<TrackKind>, Bool)])
  func `only a track that ends by itself delays the end`(selfEnding: Set<TrackKind>, isOver: Bool) {
    var story = MachineStory.onAir()
    let end = BroadcastMachine.Event.lane(.finished(.video, hasReachedEnd: false, selfEnding: selfEnding))
    #expect(story.handle(end) == (isOver ? ["report ending", "finish"] : []))
  }

  @Test func `an output's publish is journaled once it is proven`() {
    var story = MachineStory(outputs: ["a"])
    story.handle([.started, .opened])
    #expect(story.handle(.output("a", .accepted)) == [])
    #expect(story.handle(Self.changed("a", .publishing)).first == "write outputAccepted")
  }

  @Test func `an interruption is journaled before it is reported`() {
    var story = MachineStory.onAir()
    #expect(
      story.handle(.request(.reportInterrupted(.user, until: WallTime(nanoseconds: 0)))) == [
        "write interrupted", "report interrupted",
      ])
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

  @Test func `the slowest output sets the bitrate for as long as it publishes`() {
    var story = MachineStory.onAir(outputs: ["a", "b"])
    #expect(story.handle(.output("a", .bitrateRequested(500_000, reason: "slow"))) == ["bitrate 500000"])
    #expect(story.handle(.output("b", .bitrateRequested(900_000, reason: "slow"))) == [])
    #expect(story.handle(.output("a", .changed(.init(.waiting), reason: nil))).first == "bitrate 900000")
  }

  private static let renditions = [
    PlannedRendition(
      id: .main, size: PictureSize(width: 640, height: 360), bitrate: 2_000_000, encoders: [],
      isRecorded: true, outputs: ["a"]),
    PlannedRendition(
      id: .named("low"), size: PictureSize(width: 320, height: 180), bitrate: 500_000, encoders: [],
      outputs: ["b", "c"]),
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
        PlannedRendition(
          id: .main, size: PictureSize(width: 640, height: 360), bitrate: 2_000_000, encoders: [],
          isRecorded: true, outputs: ["a", "b"])
      ], sharedBitrates: ["a": 2_000_000])
    story.handle(.loadRead(EncodingLoad(encode: 0.2, idle: 1)))
    return story
  }

  @Test func `an output that shares gets an encode of its own while its network is weak`() {
    var story = Self.sharing()
    #expect(
      story.handle(.output("a", .bitrateRequested(500_000, reason: "slow"))) == [
        "own a 500000", "report bitrate",
      ])
    #expect(story.handle(.output("a", .bitrateRequested(400_000, reason: "slow"))) == ["bitrate 400000"])
    #expect(
      story.handle(.output("a", .changed(.init(.waiting), reason: nil))) == [
        "share a", "note", "report output", "report air",
      ])
  }

  @Test func `an output with no encode of its own drops, which is said once`() {
    var story = Self.sharing()
    story.handle(.loadRead(EncodingLoad(encode: 0.2, idle: 0)))
    #expect(story.handle(.output("a", .bitrateRequested(500_000, reason: "slow"))) == ["warning"])
    #expect(story.handle(.output("a", .bitrateRequested(400_000, reason: "slow"))) == [])
    #expect(
      story.handle(.loadRead(EncodingLoad(encode: 0.2, idle: 1))) == ["own a 400000", "report bitrate"])
    #expect(
      story.handle(.lane(.encodeFailed(.own(output: "a"), why: "no"))) == ["warning", "share a", "note"])
  }

  @Test func `an output that is to lower what it shares does so`() {
    var story = Self.sharing()
    #expect(story.handle(.output("b", .bitrateRequested(500_000, reason: "slow"))) == ["bitrate 500000"])
  }

  @Test func `a rendition ends when all of its outputs are refused, or the recording has failed`() {
    func refused(_ output: String) -> BroadcastMachine.Event {
      .output(output, .changed(.init(.refused), reason: "no"))
    }
    var story = MachineStory.onAir(outputs: ["a", "b", "c"], renditions: Self.renditions)
    #expect(!story.handle(refused("b")).contains { $0.hasPrefix("use") })
    #expect(story.handle(refused("c")).contains("use main"))
    #expect(!story.handle(refused("a")).contains { $0.hasPrefix("use") })
  }

  /// Its outputs use `main` and `low`, and its viewers may choose `tiny`, too.
  private static func watchable() -> MachineStory {
    let tiny = PlannedRendition(
      id: .named("tiny"), size: PictureSize(width: 320, height: 180), bitrate: 300_000, encoders: [])
    var story = MachineStory.onAir(
      outputs: ["a", "b", "c"], renditions: renditions, viewable: renditions + [tiny])
    story.handle(.loadRead(EncodingLoad(encode: 0.2, idle: 1)))
    return story
  }

  @Test func `a rendition that only viewers want begins with them and ends a while after they have left`() {
    var story = Self.watchable()
    #expect(story.handle(.viewersRead([.main, .named("tiny")])) == ["use low main tiny"])
    #expect(story.handle(.viewersRead([.main])) == [])
    story.now += .seconds(5)
    #expect(story.handle(.loadRead(EncodingLoad(encode: 0.2, idle: 1))) == ["use low main"])
  }

  @Test func `a rendition without outputs goes on for its viewers`() {
    var story = Self.watchable()
    #expect(story.handle(.viewersRead([.named("low")])) == [])
    for output in ["b", "c"] {
      let actions = story.handle(.output(output, .changed(.init(.refused), reason: "no")))
      #expect(!actions.contains { $0.hasPrefix("use") })
    }
    story.handle(.viewersRead([]))
    story.now += .seconds(5)
    #expect(story.handle(.loadRead(EncodingLoad(encode: 0.2, idle: 1))) == ["use main"])
  }

  @Test
  func `what viewers can't have is refused, and an encoder of theirs that fails costs nobody else anything`()
  {
    var story = Self.watchable()
    story.handle(.viewersRead([.named("tiny")]))
    let failed = story.handle(.lane(.encodeFailed(.named("tiny"), why: "no")))
    #expect(failed == ["warning", "refuse tiny: its encoder has failed: no", "use low main"])
    #expect(story.handle(.lane(.encodeFailed(.named("tiny"), why: "no"))) == [])
    #expect(story.machine.failure == nil)
  }

  @Test func `on a machine that is too busy viewers lose their encode before an output does`() {
    var story = Self.watchable()
    story.handle(.viewersRead([.named("tiny")]))
    let load = EncodingLoad(encode: 0.2, idle: 1, isOverloaded: true)
    #expect(story.handle(.loadRead(load)) == ["refuse tiny: the machine is overloaded", "use low main"])
  }
}

@Suite struct BitrateVotesTests {
  @Test func `a new highest bitrate takes effect if no network objects`() {
    var votes = BitrateVotes(highest: 2_000_000)
    #expect([1_000_000, 1_000_000, 3_000_000].map { votes.limit(to: $0) } == [1_000_000, nil, 3_000_000])
  }

  @Test func `a new highest bitrate does not exceed what a network can carry`() {
    var votes = BitrateVotes(highest: 2_000_000)
    _ = votes.vote(500_000, by: "a")
    #expect(votes.limit(to: 3_000_000) == nil)
    #expect(votes.vote(nil, by: "a") == 3_000_000)
  }

  @Test func `a vote above the highest bitrate counts as the highest`() {
    var votes = BitrateVotes(highest: 2_000_000)
    _ = votes.limit(to: 1_000_000)
    #expect(votes.vote(1_500_000, by: "a") == nil)
  }
}
