import HoldfastMediaModel
import TestRandomness
import TestSupport
import Testing

@testable import HoldfastRecording

@Suite struct JournalTests {
  private let records = JournalSample.records(JournalSample.everyEntry)

  @Test(arguments: JournalSample.everyEntry)
  func `every journal entry is read back as written`(entry: JournalEntry) {
    let record = JournalSample.record(3.000000001, entry)
    #expect(Journal(Array("\(record)\n".utf8)).records == [record])
  }

  @Test func `a journal's line is readable JSON with the event first`() {
    let record = JournalSample.record(
      0, .interrupted(cause: "user", mediaAt: .seconds(9), resumableUntil: JournalSample.instant(120).wall))
    #expect(
      "\(record)" == #"{"event":"interrupted","at":"2026-11-21T04:22:10.123456789Z","bootNs":5000000000007,"#
        + #""boot":"boot-1","cause":"user","mediaNs":9000000000,"#
        + #""resumableUntil":"2026-11-21T04:24:10.123456789Z"}"#)
  }

  @Test func `a record without a boot ID is read back unchanged`() {
    let record = JournalSample.record(0, .backgrounded, boot: nil)
    #expect(Journal(JournalSample.bytes([record])).records == [record])
  }

  @Test func `a journal torn at any byte gives all its whole lines`() throws {
    let bytes = JournalSample.bytes(records)
    var whole = 0
    for cut in bytes.indices {
      if cut > 0, bytes[cut - 1] == 0x0A { whole += 1 }
      let journal = Journal(Array(bytes[..<cut]))
      let isAtEndOfText = bytes[cut] == 0x0A
      let isInside = !isAtEndOfText && cut > 0 && bytes[cut - 1] != 0x0A
      let expected = records.prefix(isAtEndOfText ? whole + 1 : whole)
      let found = (journal.records, journal.isTorn, journal.garbledLines)
      try #require(found == (Array(expected), isInside, 0), "cut at \(cut)")
    }
  }

  @Test func `a journal's torn line hides nothing that was written after it`() {
    let bytes = JournalSample.bytes(records)
    let torn = Array("\(records[3])".utf8.dropLast(5)) + [0x0A]
    let journal = Journal(bytes + torn + JournalSample.bytes([JournalSample.record(99, .backgrounded)]))
    #expect((journal.records.count, journal.garbledLines) == (records.count + 1, 1))
  }

  @Test(arguments: [
    "{}", "[]", "null", "1", "\"event\"", "{\"event\":\"ended\"}", "{\"event\":7}", "\0\0\0\0", "{{{{", "]",
    #"{"event":"checkpoint","at":"2026-11-21T04:22:10Z","bootNs":-1,"mediaNs":0}"#,
    #"{"event":"checkpoint","at":"2026-11-21T04:22:10Z","bootNs":1,"mediaNs":9223372036854775807}"#,
    #"{"event":"checkpoint","at":"2026-11-21T04:22:10Z","bootNs":1,"mediaNs":1e400}"#,
    #"{"event":"checkpoint","at":"2026-11-21T04:22:10Z","bootNs":1,"mediaNs":"1"}"#,
    #"{"event":"checkpoint","at":"2026-11-21T04:22:10Z","bootNs":1,"mediaNs":1,"behind":{"a":{"video":-1}}}"#,
    #"{"event":"checkpoint","at":"2026-11-21T04:22:10Z","bootNs":1,"mediaNs":1,"behind":{"a":{"audio":1e300}}}"#,
    #"{"event":"checkpoint","at":"2026-11-21T04:22:10Z","bootNs":1,"mediaNs":1,"behind":["a"]}"#,
    #"{"event":"checkpoint","at":"yesterday","bootNs":1,"mediaNs":1}"#,
    #"{"event":"checkpoint","at":"2026-11-21T04:22:10Z","bootNs":1}"#,
    String(repeating: "[", count: 60_000), String(repeating: "{\"a\":", count: 10_000),
  ])
  func `text that is not a journal line is skipped`(text: String) {
    let bytes = JournalSample.bytes(records)
    let journal = Journal(bytes + Array(text.utf8) + [0x0A] + bytes)
    #expect((journal.records, journal.garbledLines) == (records, 1))
  }

  @Test func `journal entries, values and fields of a later version are tolerated`() {
    let head = #""at":"2026-11-21T04:22:10Z","bootNs":1,"boot":"b""#
    let journal = Journal(
      Array(
        """
        {"event":"folded",\(head)}
        {"event":"live",\(head),"publishType":"sideways"}
        {"event":"backgrounded",\(head),"colour":{"red":[1,2,3]}}
        {"event":"checkpoint",\(head),"mediaNs":2,"behind":{"a":{"video":1,"subtitles":"x"}}}

        """.utf8))
    #expect(journal.unknownLines == 2)
    let checkpoint = JournalEntry.checkpoint(
      MediaTime(nanoseconds: 2), behind: ["a": [.video: MediaTime(nanoseconds: 1)]])
    #expect(journal.records.map(\.entry) == [.backgrounded, checkpoint])
  }

  @Test func `a journal's line that is too long is skipped`() {
    let path = String(repeating: "x", count: Journal.lineLimit)
    let long = JournalRecord(at: records[0].instant, .recording(path: path, tracks: ""))
    let journal = Journal(JournalSample.bytes([long] + records))
    #expect((journal.records, journal.garbledLines) == (records, 1))
  }

  @Test func `a journal's repeated lines count once`() {
    #expect(Journal(JournalSample.bytes(records + records)).records == records)
  }

  @Test func `random damage never stops a journal's reader`() {
    var randomness = SplitMix64(seed: 4)
    let whole = JournalSample.bytes(records)
    var unharmed = 0
    for _ in 0..<1000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...6, using: &randomness) {
        let place = Int.random(in: bytes.indices, using: &randomness)
        switch Int.random(in: 0..<4, using: &randomness) {
        case 0: bytes[place] = .random(in: 0...255, using: &randomness)
        case 1: bytes.insert(bytes[Int.random(in: bytes.indices, using: &randomness)], at: place)
        case 2: bytes.remove(at: place)
        default:
          bytes[place] = Array("0123456789\"{}[],:-eE.\n\\".utf8).randomElement(using: &randomness) ?? 0
        }
      }
      let journal = Journal(bytes)
      unharmed += Set(records).intersection(journal.records).count
      _ = Recovery(
        UnfinishedBroadcast(journal).map { [$0] } ?? [],
        .init(now: JournalSample.instant(50), window: .seconds(120)))
      _ = UnfinishedBroadcast(journal)?.cutLosses(at: .seconds(10))
      _ = GapMap(journal).interruptions.map(\.wallDuration)
    }
    // Six places can harm twelve lines at the most, of fifteen.
    #expect(unharmed >= 3 * 1000)
  }

  @Test func `random bytes give an empty journal`() {
    var randomness = SplitMix64(seed: 5)
    for _ in 0..<500 {
      let count = Int.random(in: 0...2000, using: &randomness)
      let journal = Journal((0..<count).map { _ in .random(in: 0...255, using: &randomness) })
      #expect(journal.records.isEmpty)
    }
  }

  @Test func `a fingerprint depends on headers, size and tracks, but not on order or bit rate`() {
    func video(width: Int = 64, headers: [UInt8] = [1, 2], bitrate: Int = 0) -> Track {
      let format = VideoFormat(size: PictureSize(width: width, height: 64), frameRate: .thirty)
      return Track(codec: .h264, format: .video(format), headers: headers, bitrate: bitrate)
    }
    let audio = SampleRecording.audio
    #expect([video(), audio].fingerprint == [audio, video(bitrate: 9)].fingerprint)
    let fingerprints = [
      [video(), audio], [video(headers: [1, 3]), audio], [video(width: 128), audio], [video()], [audio], [],
    ].map(\.fingerprint)
    #expect(Set(fingerprints).count == fingerprints.count)
  }
}
