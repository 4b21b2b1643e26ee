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

  @Test func `the first attempts count as finished once every output has accepted or refused`() {
    var story = MachineStory(outputs: ["a", "b"])
    #expect(
      story.handle([.started, .opened, .output("a", .firstAttemptFinished(isAccepted: true))]).last
        == "write outputAccepted")
    #expect(
      story.handle(.output("b", .firstAttemptFinished(isAccepted: false))) == ["answer firstAttemptsFinished"]
    )
  }

  @Test func `the first attempts count as finished at once when there are no outputs`() {
    var story = MachineStory()
    #expect(story.handle([.started, .opened]) == ["open", "answer firstAttemptsFinished"])
  }

  @Test func `a broadcast can go live before all first attempts have finished`() {
    var story = MachineStory(outputs: ["a"])
    #expect(story.handle([.started, .opened, .request(.goLive)]).suffix(2) == ["write live", "run"])
  }

  @Test func `a recorded broadcast is reported live once its first recording is open`() {
    var story = MachineStory()
    #expect(story.handle([.started, .opened, .request(.goLive)]).suffix(2) == ["write live", "run"])
    #expect(story.handle(.recorder(.opened(path: "a.mp4"))) == ["report recording", "report live"])
    #expect(story.handle(.recorder(.opened(path: "b.mp4"))) == ["report recording"])
  }

  @Test func `a broadcast without a recording is live when media time begins`() {
    var story = MachineStory(outputs: ["a"], isRecorded: false)
    let actions = story.handle([
      .started, .opened, .output("a", .firstAttemptFinished(isAccepted: true)), .request(.goLive),
    ])
    #expect(actions.suffix(3) == ["write live", "run", "report live"])
  }

  @Test func `a recording that failed before does not keep a broadcast from going live`() {
    var story = MachineStory(outputs: ["a"])
    story.handle([.started, .opened, .recorder(.failed(Self.brokenDisk, bytes: 0)), .request(.goLive)])
    #expect(story.actions.last?.words == "report live")
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
    #expect(story.handle(.opened) == ["finish"])
  }

  @Test func `a failed start finishes the broadcast and reports its end`() {
    var story = MachineStory()
    #expect(story.handle([.started, .openingFailed(.system("no thread"))]) == ["open", "finish"])
    #expect(
      story.handle(.finished(mediaTime: .zero)) == [
        "write ended", "report ended", "answer over", "answer ended",
      ])
  }

  @Test func `an end is journaled and reported before it is answered`() {
    var story = MachineStory.onAir()
    #expect(story.handle(.request(.stop(.stopped))) == ["finish"])
    #expect(
      story.handle([.recorder(.finished(path: "a.mp4", bytes: 7)), .finished(mediaTime: .seconds(3))]) == [
        "report recording", "write ended", "report ended", "answer over", "answer ended",
      ])
    #expect(story.outcome?.report?.recordedBytes == 7 && story.outcome?.report?.duration == .seconds(3))
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
    #expect(story.handle(.drainTimedOut) == ["finish"])
    story.handle(.finished(mediaTime: .seconds(3)))
    guard case .answer(.over(.duration)) = story.actions.suffix(2).first else { return #expect(Bool(false)) }
  }

  @Test(arguments: [([.audio], false), ([], true)] as [(Set<TrackKind>, Bool)])
  func `only a track that ends by itself delays the end`(selfEnding: Set<TrackKind>, isOver: Bool) {
    var story = MachineStory.onAir()
    let end = BroadcastMachine.Event.lane(.finished(.video, hasReachedEnd: false, selfEnding: selfEnding))
    #expect(story.handle(end) == (isOver ? ["finish"] : []))
  }

  @Test func `an output's acceptance is journaled before it is reported`() {
    var story = MachineStory(outputs: ["a"])
    story.handle([.started, .opened])
    #expect(
      story.handle(.output("a", .changed(.init(.publishing), reason: nil))) == [
        "write outputAccepted", "report output",
      ])
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
    let losses = changes.map { state in
      var loss = OutputLoss()
      loss.add(.video, at: .seconds(1), .milliseconds(state == .waiting ? 10 : 2000))
      story.handle([.output("a", .lost(loss)), .output("a", .changed(.init(state), reason: nil))])
      guard case .report(.output(let report)) = story.actions.last else { return MediaTime.zero }
      return report.loss.video
    }
    #expect(losses == [.zero, .seconds(2)])
  }

  @Test func `the slowest output sets the bitrate for as long as it publishes`() {
    var story = MachineStory.onAir(outputs: ["a", "b"])
    #expect(story.handle(.output("a", .bitrateRequested(500_000, reason: "slow"))) == ["bitrate 500000"])
    #expect(story.handle(.output("b", .bitrateRequested(900_000, reason: "slow"))) == [])
    #expect(story.handle(.output("a", .changed(.init(.waiting), reason: nil))).first == "bitrate 900000")
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
