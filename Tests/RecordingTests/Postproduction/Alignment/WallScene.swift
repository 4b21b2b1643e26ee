import HoldfastMediaModel
import HoldfastPlatform
import TestSupport

@testable import HoldfastPostproduction
@testable import HoldfastRecording

/// A broadcast's journal, and where its files lie on the wall clock.
struct WallScene {
  static let file = "hall-20261121T042210Z.mp4"
  static let second = "hall-20261121T042210Z-2.mp4"

  var records: [JournalRecord] = [
    JournalSample.record(0, .began(.init(broadcast: JournalSample.id, name: "hall"))),
    JournalSample.record(0, .recording(path: "/r/" + file, tracks: "ab12")),
    JournalSample.record(0, .live(.record)),
  ]

  mutating func add(_ additions: [JournalRecord]...) { records += additions.joined() }

  var journal: Journal { Journal(JournalSample.bytes(records)) }
  var timeline: WallTimeline { WallTimeline(journal) }

  /// The journal as it is read from a file.
  func recordingJournal() throws -> RecordingJournal {
    let folder = ScratchFolder()
    let path = folder.file("j.jsonl")
    try SampleRecording.write(JournalSample.bytes(records), to: path)
    return try RecordingJournal(path: path)
  }

  func pieces(of name: String = file, until end: Double, others: [Journal] = []) throws -> [RecordingPiece] {
    guard let span = try recordingJournal().span(of: "/r/" + name) else { return [] }
    return RecordingPiece.all(
      of: timeline, BootClocks([journal] + others), in: MediaPlacement(span, GapMap(journal).interruptions),
      until: MediaTime(seconds: end))
  }

  /// `0-5@1 5-9@8`: these seconds of the file, and when each was captured.
  func places(of name: String = file, until end: Double, others: [Journal] = []) throws -> String {
    try pieces(of: name, until: end, others: others).map { piece in
      let wall = (piece.wall - JournalSample.instant(0).wall).seconds
      return "\(Self.text(piece.file.lowerBound.seconds))-\(Self.text(piece.file.upperBound.seconds))@"
        + Self.text(wall)
    }.joined(separator: " ")
  }

  private static func text(_ seconds: Double) -> String {
    let milliseconds = (seconds * 1000).rounded()
    let whole = milliseconds == (milliseconds / 1000).rounded() * 1000
    return whole ? "\(Int(milliseconds / 1000))" : "\(milliseconds / 1000)"
  }
}

extension [JournalRecord] {
  static func entry(
    _ second: Double, _ entry: JournalEntry, boot: String? = "boot-1", step: Double = 0
  ) -> Self {
    [JournalSample.record(second, entry, boot: boot, step: step)]
  }

  static func file(_ name: String, tracks: String = "ab12", at second: Double, origin: Int64) -> Self {
    entry(second, .recording(path: "/r/" + name, tracks: tracks, origin: .seconds(origin)))
  }

  /// Media time is `media` at a second of the clock.
  static func media(_ media: Double, at second: Double, boot: String? = "boot-1", step: Double = 0) -> Self {
    entry(second, .checkpoint(MediaTime(seconds: media)), boot: boot, step: step)
  }

  static func pause(
    _ cause: String = "user", at media: Double, from: Double, to: Double, boot: String? = "boot-1",
    step: Double = 0
  ) -> Self {
    entry(from, .interrupted(cause, at: media), boot: boot, step: step)
      + entry(to, .resumed(mediaAt: MediaTime(seconds: media)), boot: boot, step: step)
  }
}
