import HoldfastMediaModel
import HoldfastPublishing
import HoldfastRecording
import Testing

@testable import HoldfastBroadcasting

/// Where and when something was lost. Media runs from 100 s to 107 s, and from 117 s on.
@Suite struct GapLedgerTests {
  private static func instant(_ second: Double, wallSteps: Double = 0) -> Instant {
    Instant(MediaTime(seconds: second), wallStep: MediaTime(seconds: wallSteps))
  }

  private static func wall(_ second: Double) -> WallTime { instant(second).wall }

  private static func start(_ second: Double, media: Double) -> MediaStart {
    MediaStart(at: instant(second).monotonic, mediaTime: MediaTime(seconds: media), lastEnd: nil)
  }

  private static func loss(_ from: Double, _ to: Double) -> OutputLoss {
    var loss = OutputLoss()
    loss.add(.video, at: MediaTime(seconds: from), MediaTime(seconds: to - from))
    return loss
  }

  private static func running(_ from: Double, _ to: Double) throws -> RunningLoss {
    try #require(RunningLoss(loss(from, to), of: "a"))
  }

  private func ledger() -> GapLedger {
    var ledger = GapLedger(gaps: [], interruptions: [])
    ledger.clock.begin(Self.start(100, media: 0), at: Self.instant(100.2))
    ledger.clock.begin(Self.start(117, media: 7), at: Self.instant(117.1))
    // Reported by the second lane.
    ledger.clock.begin(Self.start(117, media: 7), at: Self.instant(117.4))
    return ledger
  }

  @Test(arguments: [
    (2.0, 3.0, 102.0, 103.0), (6, 7, 106, 107), (7, 8, 117, 118), (6, 8, 106, 118), (9, 12, 119, 122),
  ])
  func `a loss is dated when its media was captured`(
    from: Double, to: Double, wallFrom: Double, wallTo: Double
  ) throws {
    var ledger = ledger()
    let added = ledger.add(Self.loss(from, to), of: "a", at: Self.instant(140))
    let gap = try #require(added)
    let track = TrackLoss(
      track: .audio, cause: .device, mediaAt: MediaTime(seconds: from),
      duration: MediaTime(seconds: to - from))
    let other = ledger.add(track, at: Self.instant(140))
    for one in [gap, other] {
      #expect([one.wallFrom, one.wallTo] == [Self.wall(wallFrom), Self.wall(wallTo)])
    }
    #expect(other.id != gap.id)
  }

  private static let separate: OutputLoss = {
    var both = loss(1, 2)
    both.add(loss(4, 5))
    return both
  }()
  private static let ofBothTracks: OutputLoss = {
    var both = loss(2, 3)
    both.add(.audio, at: .milliseconds(1920), .milliseconds(1060))
    return both
  }()

  @Test(arguments: [
    ("a clock that was set moves both ends of what is told later", loss(2, 8), -10_800.0, 2.0, 102.0, 118.0),
    ("the gap of separate losses ends with the last of them", separate, 0, 1, 101, 105),
    ("a loss of both tracks is dated by its pictures", ofBothTracks, 0, 2, 102, 103),
  ])
  func `an output's gap has one time`(
    title: String, loss: OutputLoss, wallSteps: Double, mediaAt: Double, wallFrom: Double, wallTo: Double
  ) throws {
    var ledger = ledger()
    let added = ledger.add(loss, of: "a", at: Self.instant(140, wallSteps: wallSteps))
    let gap = try #require(added)
    #expect([gap.wallFrom, gap.wallTo] == [wallFrom, wallTo].map { Self.wall($0 + wallSteps) })
    #expect((gap.lostVideo, gap.mediaAt) == (loss.video, MediaTime(seconds: mediaAt)))
  }

  @Test func `a loss has one id from its beginning to its gap, and is reported each ten seconds`() throws {
    var ledger = ledger()
    var (noted, due) = ledger.read([try Self.running(8, 8.2)], at: Self.instant(118.2))
    #expect(noted.map(\.id) == [1] && due.isEmpty)
    for second in 119..<140 {
      let reading = ledger.read([try Self.running(8, Double(second) - 110)], at: Self.instant(Double(second)))
      noted += reading.noted
      due += reading.due
    }
    #expect(noted.count == 1 && due.map(\.id) == [1, 1])
    #expect(due.map(\.lostVideo) == [.seconds(11), .seconds(21)])
    #expect(ledger.losing.map(\.wallFrom) == [Self.wall(118)])
    #expect(ledger.add(Self.loss(8, 30), of: "a", at: Self.instant(140.5))?.id == 1)
    #expect(ledger.losing.isEmpty)
    #expect(ledger.read([try Self.running(40, 41)], at: Self.instant(151)).noted.map(\.id) == [2])
  }

  @Test(arguments: [false, true])
  func `a loss that comes to nothing is noted as such, and reported if it was before`(wasReported: Bool)
    throws
  {
    var ledger = ledger()
    _ = ledger.read([try Self.running(8, 9)], at: Self.instant(119))
    if wasReported { _ = ledger.read([try Self.running(8, 9)], at: Self.instant(129)) }
    _ = ledger.read([], at: Self.instant(129.25))
    let (noted, due) = ledger.read([], at: Self.instant(129.5))
    let ended = wasReported ? due : noted
    #expect(ended.map(\.id) == [1] && ended.first?.extent == .zero && (noted + due).count == 1)
  }

  @Test func `ids go on after a crash, and one that a reading lacks is kept`() throws {
    let known = Gap(
      .network, id: 4, output: "a", wallFrom: Self.wall(1), wallTo: Self.wall(2), mediaAt: .zero)
    let pause = Gap(.user, wallFrom: Self.wall(3), wallTo: Self.wall(4), mediaAt: .zero)
    var ledger = GapLedger(gaps: [known], interruptions: [pause])
    #expect(ledger.add(Self.loss(1, 2), of: "a", at: Self.instant(5))?.id == 6)
    ledger = self.ledger()
    _ = ledger.read([try Self.running(8, 9)], at: Self.instant(119))
    _ = ledger.read([], at: Self.instant(119.25))
    #expect(ledger.losing.map(\.id) == [1])
    #expect(ledger.read([try Self.running(8, 9.5)], at: Self.instant(119.5)).noted.isEmpty)
    for second in [119.75, 120] { _ = ledger.read([], at: Self.instant(second)) }
    #expect(ledger.losing.isEmpty)
  }
}

/// What the broadcast does with them.
@Suite struct RunningLossTests {
  private static let loss = TrackLoss(
    track: .video, cause: .device, mediaAt: .seconds(8), duration: .milliseconds(200))

  @Test func `a loss that begins is journaled, and its gap under the same id`() throws {
    var story = MachineStory.onAir()
    #expect(story.handle(.lossesRead([RunningLoss(Self.loss)])) == ["write losing"])
    #expect(story.handle(.lossesRead([RunningLoss(Self.loss)])) == [])
    story.now = .seconds(111)
    #expect(story.handle(.lossesRead([RunningLoss(Self.loss)])) == ["write losing", "report losing"])
    story.handle(.lane(.lost(Self.loss)))
    #expect(story.gaps.map(\.id) == [1])
  }

  @Test func `a loss that takes hold of the other track, or has begun earlier, is journaled again`() throws {
    var (story, loss) = (MachineStory.onAir(), OutputLoss())
    for (track, at, isNews) in [
      (.audio, 9, true), (.audio, 10, false), (.video, 9, true), (.video, 10, false), (.video, 8, true),
    ] as [(TrackKind, Int64, Bool)] {
      loss.add(track, at: .seconds(at), .milliseconds(20))
      let running = try #require(RunningLoss(loss, of: "a"))
      #expect(story.handle(.lossesRead([running])) == (isNews ? ["write losing"] : []))
    }
  }

  @Test func `an output is behind whose delivery is more than a tenth of a second old`() throws {
    var story = MachineStory.onAir(outputs: ["a", "b"])
    let late: [TrackKind: MediaTime] = [.video: .milliseconds(9800), .audio: .milliseconds(9900)]
    let undelivered = ["a": late, "b": [.video: .milliseconds(9900)]]
    story.handle(.deliveriesRead(undelivered: undelivered, at: .seconds(10)))
    #expect(story.machine.behind == ["a": late])
    // Unless it is said to lose the rest.
    for (since, isBehind) in [(9900, false), (9995, true)] as [(Int64, Bool)] {
      var loss = OutputLoss()
      loss.add(.video, at: .milliseconds(since), .milliseconds(5))
      let running = try #require(RunningLoss(loss, of: "a"))
      story.handle([.lossesRead([running]), .deliveriesRead(undelivered: undelivered, at: .seconds(10))])
      #expect((story.machine.behind["a"] != nil) == isBehind)
      story.handle([.lossesRead([]), .lossesRead([])])
    }
    story.handle(.deliveriesRead(undelivered: [:], at: .seconds(10)))
    #expect(story.machine.behind.isEmpty)
  }

  @Test(
    arguments: [
      (100.0, "report clock"), (-100, "report clock"), (99, nil), (-10_800_000, "report clock"),
    ] as [(Double, String?)])
  func `a step of the wall clock is told, its correction is not`(step: Double, told: String?) {
    var story = MachineStory.onAir()
    story.handle(.lossesRead([]))
    story.wallStep = MediaTime(seconds: step / 1000)
    #expect(story.handle(.lossesRead([])) == [told].compactMap(\.self))
    #expect(story.handle(.lossesRead([])) == [])
  }

  @Test func `a loss that a crash has cut off is told at once, and the crash among what is lost`() throws {
    let cut = Gap(
      .network, id: 3, output: "a", wallFrom: WallTime(nanoseconds: 1), wallTo: WallTime(nanoseconds: 2),
      mediaAt: .seconds(2), lostVideo: .seconds(7))
    var resumed = BroadcastMachine.Resumed(
      OpenInterruption(
        since: MonotonicTime(nanoseconds: 0), wallSince: WallTime(nanoseconds: 0), cause: .crash,
        mediaAt: .seconds(9)), mediaEnd: .seconds(9))
    resumed.cutLosses = [cut]
    var story = MachineStory(outputs: ["a"], resumed: resumed)
    #expect((story.handle([.started, .opened]), story.gaps) == (["open", "write gap", "report gap"], [cut]))
    let open = OpenInterruption(
      since: MonotonicTime(nanoseconds: MediaTime.seconds(97).nanoseconds),
      wallSince: WallTime(nanoseconds: 0), cause: .crash, mediaAt: .seconds(5))
    story = MachineStory(resumed: BroadcastMachine.Resumed(open, mediaEnd: .seconds(5)))
    story.handle([.started, .opened, .request(.resume(after: .user)), .lane(.started(story.start()))])
    story.handle([.request(.stop(.stopped)), .finished(mediaTime: .seconds(8))])
    #expect(
      story.outcome?.report?.description.hasSuffix(
        ": lost: video 3.000 s the program was not running; audio 3.000 s the program was not running")
        == true)
  }
}
