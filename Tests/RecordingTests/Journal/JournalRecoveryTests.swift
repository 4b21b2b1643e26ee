import HoldfastMediaModel
import HoldfastRecording
import Testing

@Suite struct JournalRecoveryTests {
  private enum Verdict { case resume, new, nothing }

  private static func journal(_ last: JournalEntry) -> Journal {
    JournalSample.journal([
      (0, JournalSample.beginning), (1, .live(.record)), (10, .checkpoint(.seconds(9))), (10, last),
    ])
  }

  private static let live = journal(.gate(verdict: "passed", reason: nil))

  /// The journal of a process that died 10 s after it began, and the verdict within the window.
  private static let standings: [(name: String, journal: Journal?, verdict: Verdict)] = [
    ("none", nil, .nothing), ("empty", Journal([]), .nothing),
    (
      "starting", JournalSample.journal([(0, JournalSample.beginning), (10, .outputAccepted("main"))]),
      .nothing
    ),
    ("live", live, .resume), ("interrupted", journal(.interrupted("user", at: 9)), .resume),
    ("backgrounded", journal(.backgrounded), .new),
    ("ended", journal(.ended(.init(reason: "stopped"))), .nothing),
  ]

  /// When the next process starts, by which clock, and whether that is within the window.
  private static let starts: [(name: String, instant: JournalInstant, isInside: Bool)] = [
    ("soon", JournalSample.instant(10 + 119.9), true),
    ("at the end of the window", JournalSample.instant(10 + 120), false),
    ("late", JournalSample.instant(100_000), false),
    ("soon, wall ahead", at(100_000, sinceBoot: JournalSample.instant(30).sinceBoot), true),
    ("soon, wall behind", at(-100_000, sinceBoot: JournalSample.instant(30).sinceBoot), true),
    ("late, wall behind", at(30, sinceBoot: JournalSample.instant(100_000).sinceBoot), false),
    ("rebooted, soon", at(60, sinceBoot: .seconds(20), boot: "boot-2"), true),
    ("rebooted, late", at(1000, sinceBoot: .seconds(20), boot: "boot-2"), false),
    ("rebooted, wall behind", at(9, sinceBoot: .seconds(20), boot: "boot-2"), false),
    // The wall clock was restored from a file, but the machine has been up for longer than the window.
    ("rebooted, wall stood still", at(11, sinceBoot: .seconds(300), boot: "boot-2"), false),
    ("unknown boot, soon", at(60, sinceBoot: .seconds(900_000), boot: nil), true),
    ("unknown boot, late", at(1000, sinceBoot: .seconds(20), boot: nil), false),
    ("unknown boot, wall behind", at(9, sinceBoot: .seconds(20), boot: nil), false),
  ]

  private static func at(_ wall: Double, sinceBoot: MediaTime, boot: String? = "boot-1") -> JournalInstant {
    JournalInstant(wall: JournalSample.instant(wall).wall, sinceBoot: sinceBoot, bootID: boot)
  }

  private func verdict(
    _ journal: Journal?, _ now: JournalInstant, _ policy: AfterCrash = .withinWindow,
    window: MediaTime = .seconds(120)
  ) -> Verdict {
    guard let unfinished = journal.flatMap(UnfinishedBroadcast.init) else { return .nothing }
    let plan = Recovery([unfinished], .init(now: now, window: window, policy: policy))
    #expect(plan.finished == (plan.resumed == nil ? [unfinished] : []))
    return plan.resumed == nil ? .new : .resume
  }

  @Test func `a loss that a crash has cut off ends where the recording does, under its id`() throws {
    let begun = Gap(
      .network, id: 3, output: "a", wall: 3...4, at: 2, video: 0.2, pictures: 6, extent: 0.4)
    let entries = [(4.0, JournalEntry.losing(begun)), (9, .checkpoint(.seconds(8)))]
    let cut = try #require(try JournalSample.unfinished(entries).cutLosses(at: .seconds(9)).first)
    #expect((cut.id, cut.mediaAt) == (3, .seconds(2)))
    #expect((cut.lostVideo, cut.lostPictures, cut.lostAudio) == (.seconds(7), 210, .zero))
    #expect([cut.wallFrom, cut.wallTo] == [3, 10].map { JournalSample.instant($0).wall })
    let closed = try JournalSample.unfinished(entries + [(10, .gap(cut))])
    #expect(closed.cutLosses(at: .seconds(9)).isEmpty && closed.gapMap.gaps == [cut])
  }

  @Test(arguments: [-60.0, 60])
  func `a loss that a crash has cut off is dated by the clock as it was set meanwhile`(step: Double) throws {
    let begun = Gap(.network, id: 3, output: "a", wall: 3...4, at: 2, video: 1)
    let records = [
      JournalSample.record(0, JournalSample.beginning), JournalSample.record(1, .live(.record)),
      JournalSample.record(4, .losing(begun)), JournalSample.record(9, .checkpoint(.seconds(8)), step: step),
    ]
    let broadcast = try #require(UnfinishedBroadcast(Journal(JournalSample.bytes(records))))
    let cut = try #require(broadcast.cutLosses(at: .seconds(9)).first)
    #expect([cut.wallFrom, cut.wallTo] == [3, 10].map { JournalSample.instant($0, step: step).wall })
  }

  @Test func `a loss that a crash has cut off grows only while media runs`() throws {
    let unsettled = Gap(.network, id: 3, output: "a", wall: 3...6, at: 2, video: 3)
    var entries = [(9.0, JournalEntry.interrupted("user", at: 8)), (9.2, .losing(unsettled))]
    let paused = try JournalSample.unfinished(entries)
    #expect(paused.cutLosses(at: .seconds(8)).map(\.lostVideo) == [.seconds(3)])
    entries += [(20, .resumed(mediaAt: .seconds(8))), (22, .checkpoint(.seconds(10)))]
    let resumed = try JournalSample.unfinished(entries)
    #expect(resumed.cutLosses(at: .seconds(10)).map(\.lostVideo) == [.seconds(5)])
    let nothing = Gap(.network, id: 3, output: "a", wall: 3...6, at: 2)
    let settled = try JournalSample.unfinished(entries + [(23, .losing(nothing))])
    #expect(settled.cutLosses(at: .seconds(10)).isEmpty)
  }

  @Test(arguments: standings.indices, starts.indices)
  func `each state after a crash, start and policy has its verdict`(standing: Int, start: Int) {
    let (standing, start) = (Self.standings[standing], Self.starts[start])
    for policy in AfterCrash.allCases {
      let isResumed = policy == .resume || policy == .withinWindow && start.isInside
      let expected = standing.verdict == .resume && !isResumed ? .new : standing.verdict
      let found = verdict(standing.journal, start.instant, policy)
      #expect(found == expected, "\(standing.name), \(start.name), \(policy)")
    }
  }

  @Test func `later entries do not extend an interruption's window`() {
    let journal = JournalSample.journal([
      (0, JournalSample.beginning), (1, .live(.record)), (10, .interrupted("user", at: 9)),
      (100, .interrupted("device", at: 9)), (110, .checkpoint(.seconds(9))),
    ])
    #expect(verdict(journal, JournalSample.instant(129)) == .resume)
    #expect(verdict(journal, JournalSample.instant(131)) == .new)
  }

  @Test func `no broadcast is resumed with a window of 0`() {
    #expect(verdict(Self.live, JournalSample.instant(10), window: .zero) == .new)
  }

  @Test func `an unfinished broadcast provides all that a resume needs`() throws {
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
    #expect((unfinished.id, unfinished.name) == (JournalSample.id, "hall"))
    #expect(unfinished.recordingPath == "recordings/hall-2.mp4")
    #expect((unfinished.live, unfinished.lastSign) == (JournalSample.instant(2), JournalSample.instant(9)))
    #expect((unfinished.mediaTime, unfinished.acceptedOutputs) == (.milliseconds(6500), ["main", "backup"]))
    #expect(
      unfinished.interruption
        == Interruption(cause: "user", from: JournalSample.instant(9), mediaAt: .milliseconds(6500)))
    #expect(unfinished.gapMap.gaps == [JournalSample.gap])
  }

  @Test func `media time never goes back, even if a journal says so`() throws {
    let entries = [(2.0, JournalEntry.checkpoint(.seconds(9))), (3, .checkpoint(.seconds(5)))]
    let unfinished = try JournalSample.unfinished(entries)
    #expect(unfinished.mediaTime == .seconds(9))
  }

  @Test func `a broadcast whose live entry is damaged still counts as live`() {
    let journal = JournalSample.journal(JournalSample.beginning, .checkpoint(.seconds(1)))
    #expect(UnfinishedBroadcast(journal)?.live == JournalSample.instant(1))
  }

  @Test func `a journal without its beginning has no unfinished broadcast`() {
    let journal = JournalSample.journal(.live(.record), .checkpoint(.seconds(1)))
    #expect(UnfinishedBroadcast(journal) == nil)
  }

  @Test(
    arguments: [
      // Since the last checkpoint; the recording's end may be before it or after it.
      ([(10, .checkpoint(.seconds(8)))], 7.5, 9.5), ([(10, .checkpoint(.seconds(8)))], 8.25, 10.25),
      // Media time stands still, whatever is noted in the meantime.
      ([(10, .interrupted("user", at: 9)), (20, .interrupted("system", at: 9))], 9, 10),
      ([(10, .interrupted("user", at: 9)), (20, .resumed(mediaAt: .seconds(9)))], 9.5, 20.5),
      ([], 0.25, 1.25),
    ] as [([(Double, JournalEntry)], Double, Double)])
  func `the capture time of the recording's end follows from the last entries`(
    records: [(Double, JournalEntry)], media: Double, expected: Double
  ) throws {
    let unfinished = try JournalSample.unfinished(records)
    #expect(unfinished.instant(of: MediaTime(seconds: media)) == JournalSample.instant(expected))
  }

  @Test func `a media time far from the last entry is limited`() throws {
    let unfinished = try JournalSample.unfinished([(2, .checkpoint(.seconds(1)))])
    #expect(unfinished.instant(of: MediaTime(nanoseconds: .max)) == JournalSample.instant(2 + 3600))
    // Not even a difference.
    #expect(unfinished.instant(of: MediaTime(nanoseconds: -.max)) == JournalSample.instant(2))
  }
}
