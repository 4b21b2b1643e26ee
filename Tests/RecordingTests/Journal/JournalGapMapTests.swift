import HoldfastMediaModel
import HoldfastRecording
import Testing

@Suite struct JournalGapMapTests {
  private func gap(
    _ cause: Gap.Cause, _ output: String?, video: Int64 = 0, pictures: Int = 0, audio: Int64 = 0
  ) -> JournalEntry {
    .gap(
      Gap(
        cause, output: output, wallFrom: JournalSample.instant(1).wall, wallTo: JournalSample.instant(2).wall,
        mediaAt: .seconds(1), lostVideo: .milliseconds(video), lostPictures: pictures,
        lostAudio: .milliseconds(audio)))
  }

  private func interrupted(_ cause: String, at media: Int64) -> JournalEntry {
    .interrupted(cause: cause, mediaAt: .seconds(media), resumableUntil: nil)
  }

  @Test func `an interruption lasts on the wall, and not on the media time line`() {
    let map = GapMap(
      JournalSample.journal([
        (0, JournalSample.beginning), (1, .live(.record)), (5, interrupted("user", at: 4)),
        (35.5, .resumed(mediaAt: .seconds(4))),
      ]))
    #expect(map.interruptions.map(\.wallDuration) == [.milliseconds(30_500)])
    #expect(map.interruptions.map(\.mediaAt) == [.seconds(4)])
    #expect(map.totals.interrupted == .milliseconds(30_500))
    #expect(map.totals.lostVideo == .zero && map.totals.lostAudio == .zero)
  }

  @Test func `a wall clock that is set does not change how long an interruption was`() {
    var back = JournalSample.instant(20)
    back.wall = JournalSample.instant(-5000).wall
    let map = GapMap(
      Journal(
        JournalSample.bytes([
          JournalRecord(at: JournalSample.instant(5), interrupted("user", at: 4)),
          JournalRecord(at: back, .resumed(mediaAt: .seconds(4))),
        ])))
    #expect(map.totals.interrupted == .seconds(15))
  }

  @Test func `an interruption within an interruption changes its cause`() {
    let map = GapMap(
      JournalSample.journal([
        (5, interrupted("user", at: 4)), (10, interrupted("device", at: 4)),
        (25, .resumed(mediaAt: .seconds(4))),
      ]))
    #expect(map.totals.interruptions == 1)
    #expect(map.totals(ofCause: "device").interrupted == .seconds(20))
  }

  @Test func `a crash is an interruption from the last sign of life on`() {
    let map = GapMap(
      JournalSample.journal([
        (1, .live(.record)), (9, .checkpoint(.seconds(8))), (12, .resumed(mediaAt: .milliseconds(8900))),
      ]))
    #expect(
      map.interruptions == [
        Interruption(
          cause: "crash", from: JournalSample.instant(9), mediaAt: .milliseconds(8900),
          to: JournalSample.instant(12))
      ])
  }

  @Test func `a crash within an interruption is the same interruption`() {
    let map = GapMap(
      JournalSample.journal([(5, interrupted("user", at: 4)), (65, .resumed(mediaAt: .seconds(4)))]))
    #expect(map.causes == ["user"])
  }

  @Test func `where nothing follows, nothing is missing`() {
    let map = GapMap(
      JournalSample.journal([
        (5, interrupted("user", at: 4)), (125, .backgrounded), (90_000, .ended(reason: "stopped")),
      ]))
    #expect(map.openInterruption?.cause == "user")
    #expect(map.totals == GapMap.Totals())
  }

  @Test func `losses are added up by output and by cause`() {
    let map = GapMap(
      JournalSample.journal(
        gap(.network, "main", video: 1000, pictures: 30, audio: 900),
        gap(.network, "backup", video: 500, pictures: 15),
        gap(.xrun, nil, audio: 20), gap(.network, "main", video: 100, pictures: 3),
        interrupted("user", at: 4), .resumed(mediaAt: .seconds(4))))
    #expect(map.outputs == ["backup", "main"])
    #expect(map.causes == ["network", "user", "xrun"])
    let main = map.totals(ofOutput: "main")
    #expect(main.gaps == 3 && main.lostPictures == 33)
    #expect(main.lostVideo == .milliseconds(1100) && main.lostAudio == .milliseconds(920))
    #expect(main.interruptions == 1 && main.interrupted == .seconds(1))
    #expect(map.totals(ofOutput: "backup").lostAudio == .milliseconds(20))
    #expect(map.totals(ofCause: "network").lostPictures == 48)
    #expect(map.totals(ofCause: "user").interrupted == .seconds(1))
    #expect(map.totals.lostVideo == .milliseconds(1600))
  }

  @Test func `lengths that nobody can have lived don't overflow`() {
    let long = MediaTime(nanoseconds: 1 << 61)
    let entry = JournalEntry.gap(
      Gap(
        .network, wallFrom: JournalSample.instant(0).wall, wallTo: JournalSample.instant(0).wall,
        mediaAt: .zero,
        lostVideo: long))
    let map = GapMap(JournalSample.journal(entry, entry, entry, entry, entry))
    #expect(map.totals.lostVideo == MediaTime(nanoseconds: .max))
  }

  @Test func `a hundred interruptions are a hundred`() {
    var records: [(Double, JournalEntry)] = [(0, JournalSample.beginning), (1, .live(.record))]
    for number in 0..<100 {
      records.append((2 + Double(number) * 3, interrupted("user", at: Int64(number))))
      records.append((4 + Double(number) * 3, .resumed(mediaAt: .seconds(Int64(number)))))
    }
    let totals = GapMap(JournalSample.journal(records)).totals
    #expect(totals.interruptions == 100)
    #expect(totals.interrupted == .seconds(200))
  }
}
