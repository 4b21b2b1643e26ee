import HoldfastMediaModel
import HoldfastRecording
import Testing

@Suite struct JournalGapMapTests {
  private static let live: [(Double, JournalEntry)] = [(0, JournalSample.beginning), (1, .live(.record))]

  private static let resumed = JournalEntry.resumed(mediaAt: .seconds(4))

  @Test(
    arguments: [
      ("lasts on the wall", [(5, .interrupted("user", at: 4)), (35.5, resumed)], "user", 5, 30_500),
      (
        "within another one changes its cause",
        [(5, .interrupted("user", at: 4)), (10, .interrupted("device", at: 4)), (25, resumed)], "device", 5,
        20_000
      ),
      (
        "without an entry is a crash, from the last sign of life on",
        [(9, .checkpoint(.seconds(3))), (12, resumed)], "crash", 9, 3000
      ),
      (
        "in which the process crashed is the same", [(5, .interrupted("user", at: 4)), (65, resumed)], "user",
        5, 60_000
      ),
      (
        "that nothing follows costs nothing",
        [(5, .interrupted("user", at: 4)), (125, .backgrounded), (90_000, .ended(.init(reason: "stopped")))],
        "user", 5, 0
      ),
    ] as [(String, [(Double, JournalEntry)], String, Double, Int64)])
  func `an interruption has its cause, beginning and length`(
    what: String, entries: [(Double, JournalEntry)], cause: String, from: Double, milliseconds: Int64
  ) {
    let map = GapMap(JournalSample.journal(Self.live + entries))
    #expect((map.interruptions.map(\.cause), map.interruptions.map(\.mediaAt)) == ([cause], [.seconds(4)]))
    #expect(map.interruptions.map(\.from) == [JournalSample.instant(from)])
    #expect(map.interruptions.map(\.wallDuration) == [.milliseconds(milliseconds)])
    #expect((map.openInterruption == nil) == (milliseconds > 0))
    #expect(map.gaps == [] && map.count == (milliseconds > 0 ? 1 : 0))
  }

  @Test func `setting the wall clock does not change an interruption's length`() {
    let records = [
      JournalSample.record(5, .interrupted("user", at: 4)),
      JournalSample.record(20, Self.resumed, step: -5020),
    ]
    let map = GapMap(Journal(JournalSample.bytes(records)))
    #expect(map.interruptions.map(\.wallDuration) == [.seconds(15)])
  }

  @Test func `each gap and each of a hundred interruptions are counted`() {
    let interruptions = (0..<100).flatMap { number -> [(Double, JournalEntry)] in
      let second = Double(number) * 3
      return [
        (2 + second, .interrupted("user", at: Double(number))),
        (4 + second, .resumed(mediaAt: .seconds(Int64(number)))),
      ]
    }
    let map = GapMap(JournalSample.journal(Self.live + interruptions + [(400, .gap(JournalSample.gap))]))
    #expect(map.interruptions.map(\.wallDuration) == Array(repeating: .seconds(2), count: 100))
    #expect(map.gaps == [JournalSample.gap] && map.count == 101)
  }
}
