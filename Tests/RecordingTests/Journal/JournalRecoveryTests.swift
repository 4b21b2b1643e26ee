import HoldfastMediaModel
import HoldfastRecording
import Testing

@Suite struct JournalRecoveryTests {
  /// How the broadcast stood when its process died, 10 s after it began.
  enum Standing: CaseIterable {
    case none, empty, starting, live, interrupted, backgrounded, ended

    var journal: Journal? {
      switch self {
      case .none: nil
      case .empty: Journal([])
      case .starting: JournalSample.journal([(0, JournalSample.beginning), (10, .outputAccepted("main"))])
      case .live: JournalSample.journal(Self.liveRecords)
      case .interrupted:
        JournalSample.journal(
          Self.liveRecords + [(10, .interrupted(cause: "user", mediaAt: .seconds(9), resumableUntil: nil))])
      case .backgrounded: JournalSample.journal(Self.liveRecords + [(10, .backgrounded)])
      case .ended: JournalSample.journal(Self.liveRecords + [(10, .ended(reason: "stopped"))])
      }
    }

    private static let liveRecords: [(Double, JournalEntry)] = [
      (0, JournalSample.beginning), (1, .live(.record)), (10, .checkpoint(.seconds(9))),
    ]
  }

  /// When, by which clock, the next process starts.
  enum Start: CaseIterable {
    case soon, atEndOfWindow, late
    case soonButWallAhead, soonButWallBehind, lateButWallBehind
    case rebootedSoon, rebootedLate, rebootedWallBehind, rebootedWallStoodStill
    case unknownBootSoon, unknownBootLate, unknownBootWallBehind

    var isInside: Bool {
      switch self {
      case .soon, .soonButWallAhead, .soonButWallBehind, .rebootedSoon, .unknownBootSoon: true
      case .atEndOfWindow, .late, .lateButWallBehind, .rebootedLate, .rebootedWallBehind,
        .rebootedWallStoodStill, .unknownBootLate, .unknownBootWallBehind:
        false
      }
    }

    var instant: JournalInstant {
      switch self {
      case .soon: JournalSample.instant(10 + 119.9)
      case .atEndOfWindow: JournalSample.instant(10 + 120)
      case .late: JournalSample.instant(100_000)
      case .soonButWallAhead: at(wall: 100_000, sinceBoot: JournalSample.instant(30).sinceBoot)
      case .soonButWallBehind: at(wall: -100_000, sinceBoot: JournalSample.instant(30).sinceBoot)
      case .lateButWallBehind: at(wall: 30, sinceBoot: JournalSample.instant(100_000).sinceBoot)
      case .rebootedSoon: at(wall: 60, sinceBoot: .seconds(20), boot: "boot-2")
      case .rebootedLate: at(wall: 1000, sinceBoot: .seconds(20), boot: "boot-2")
      case .rebootedWallBehind: at(wall: 9, sinceBoot: .seconds(20), boot: "boot-2")
      // The wall clock was restored from a file, but the machine has been up for longer than the window.
      case .rebootedWallStoodStill: at(wall: 11, sinceBoot: .seconds(300), boot: "boot-2")
      case .unknownBootSoon: at(wall: 60, sinceBoot: .seconds(900_000), boot: nil)
      case .unknownBootLate: at(wall: 1000, sinceBoot: .seconds(20), boot: nil)
      case .unknownBootWallBehind: at(wall: 9, sinceBoot: .seconds(20), boot: nil)
      }
    }

    private func at(wall: Double, sinceBoot: MediaTime, boot: String? = "boot-1") -> JournalInstant {
      JournalInstant(wall: JournalSample.instant(wall).wall, sinceBoot: sinceBoot, bootID: boot)
    }
  }

  private enum Verdict { case resume, new, nothing }

  private func verdict(
    _ journal: Journal?, _ now: JournalInstant, _ policy: AfterCrash = .withinWindow,
    window: MediaTime = .seconds(120)
  ) -> Verdict {
    guard let unfinished = journal.flatMap(UnfinishedBroadcast.init) else { return .nothing }
    let plan = Recovery.plan([unfinished], ends: [], now: now, window: window, policy: policy)
    #expect(plan.finished == (plan.resumed == nil ? [unfinished] : []))
    return plan.resumed == nil ? .new : .resume
  }

  private func expected(_ standing: Standing, _ start: Start, _ policy: AfterCrash) -> Verdict {
    switch (standing, policy) {
    case (.none, _), (.empty, _), (.starting, _), (.ended, _): .nothing
    case (.backgrounded, _), (_, .new): .new
    case (.live, .resume), (.interrupted, .resume): .resume
    case (.live, .withinWindow), (.interrupted, .withinWindow): start.isInside ? .resume : .new
    }
  }

  @Test(arguments: Standing.allCases, Start.allCases)
  func `each standing, start and policy has its verdict`(standing: Standing, start: Start) {
    for policy in AfterCrash.allCases {
      let found = verdict(standing.journal, start.instant, policy)
      #expect(found == expected(standing, start, policy), "\(policy)")
    }
  }

  @Test func `an interruption's window goes on closing, whatever came behind its beginning`() {
    let journal = JournalSample.journal([
      (0, JournalSample.beginning), (1, .live(.record)),
      (10, .interrupted(cause: "user", mediaAt: .seconds(9), resumableUntil: nil)),
      (100, .interrupted(cause: "device", mediaAt: .seconds(9), resumableUntil: nil)),
      (110, .checkpoint(.seconds(9))),
    ])
    #expect(verdict(journal, JournalSample.instant(129)) == .resume)
    #expect(verdict(journal, JournalSample.instant(131)) == .new)
  }

  @Test func `with a window of 0 nothing is resumed`() {
    #expect(verdict(Standing.live.journal, JournalSample.instant(10), window: .zero) == .new)
  }

  @Test func `an unfinished broadcast says all that a resume needs`() throws {
    let journal = JournalSample.journal([
      (0, JournalSample.beginning), (1, .outputAccepted("main")), (2, .live(.record)),
      (3, .outputAccepted("backup")), (4, .outputAccepted("main")), (5, .checkpoint(.seconds(3))),
      (6, .recording(path: "recordings/hall-2.mp4", tracks: "cd34")),
      (7, .gap(JournalSample.gap)), (8, .checkpoint(.seconds(6))),
      (
        9,
        .interrupted(
          cause: "user", mediaAt: .milliseconds(6500), resumableUntil: JournalSample.instant(129).wall)
      ),
    ])
    let unfinished = try #require(UnfinishedBroadcast(journal))
    #expect(unfinished.id == JournalSample.id)
    #expect(unfinished.name == "hall")
    #expect(unfinished.recordingPath == "recordings/hall-2.mp4")
    #expect(unfinished.live == JournalSample.instant(2))
    #expect(unfinished.lastSign == JournalSample.instant(9))
    #expect(unfinished.mediaTime == .milliseconds(6500))
    #expect(unfinished.acceptedOutputs == ["main", "backup"])
    #expect(
      unfinished.interruption
        == Interruption(cause: "user", from: JournalSample.instant(9), mediaAt: .milliseconds(6500)))
    #expect(unfinished.gapMap.gaps == [JournalSample.gap])
  }

  @Test func `media time never goes back, even where a journal says so`() throws {
    let journal = JournalSample.journal(
      JournalSample.beginning, .live(.record), .checkpoint(.seconds(9)), .checkpoint(.seconds(5)))
    #expect(try #require(UnfinishedBroadcast(journal)).mediaTime == .seconds(9))
  }

  @Test func `a broadcast whose going live was damaged was live all the same`() {
    let journal = JournalSample.journal(JournalSample.beginning, .checkpoint(.seconds(1)))
    #expect(UnfinishedBroadcast(journal)?.live == JournalSample.instant(1))
  }

  @Test func `without its beginning a journal is of no broadcast`() {
    let journal = JournalSample.journal(.live(.record), .checkpoint(.seconds(1)))
    #expect(UnfinishedBroadcast(journal) == nil)
  }

  @Test(
    arguments: [
      // Since the last checkpoint; what was recorded may lie before it, or behind.
      ([(1, .live(.record)), (10, .checkpoint(.seconds(8)))], 7.5, 9.5),
      ([(1, .live(.record)), (10, .checkpoint(.seconds(8)))], 8.25, 10.25),
      // Media time stands still, whatever is told meanwhile.
      (
        [
          (1, .live(.record)), (10, .interrupted(cause: "user", mediaAt: .seconds(9), resumableUntil: nil)),
          (20, .interrupted(cause: "system", mediaAt: .seconds(9), resumableUntil: nil)),
        ], 9, 10
      ),
      (
        [
          (1, .live(.record)), (10, .interrupted(cause: "user", mediaAt: .seconds(9), resumableUntil: nil)),
          (20, .resumed(mediaAt: .seconds(9))),
        ], 9.5, 20.5
      ),
      ([(1, .live(.record))], 0.25, 1.25),
    ] as [([(Double, JournalEntry)], Double, Double)])
  func `when the end of the recording was captured follows from what was told last`(
    records: [(Double, JournalEntry)], media: Double, expected: Double
  ) throws {
    let journal = JournalSample.journal([(0, JournalSample.beginning)] + records)
    let unfinished = try #require(UnfinishedBroadcast(journal))
    #expect(unfinished.instant(of: MediaTime(seconds: media)) == JournalSample.instant(expected))
  }

  @Test func `a place on the time line far from what was told last is not believed`() throws {
    let journal = JournalSample.journal(JournalSample.beginning, .live(.record), .checkpoint(.seconds(1)))
    let unfinished = try #require(UnfinishedBroadcast(journal))
    #expect(unfinished.instant(of: MediaTime(nanoseconds: .max)) == JournalSample.instant(2 + 3600))
    // Not even a difference.
    #expect(unfinished.instant(of: MediaTime(nanoseconds: -.max)) == JournalSample.instant(2))
  }
}
