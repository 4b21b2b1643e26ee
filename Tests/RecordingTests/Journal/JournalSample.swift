import HoldfastMediaModel
import HoldfastRecording
import Testing

/// The journal of a broadcast as the tests need it: an entry a second.
struct JournalSample {
  static let id = "20261121T042210Z-1a2b"
  static let beginning = JournalEntry.began(
    .init(broadcast: id, name: "hall", recording: "recordings/hall.mp4", tracks: "ab12"))
  static let gap = Gap(
    .network, id: 3, output: "main", wall: 7...9, at: 6, video: 2.033, pictures: 61, audio: 2.026_666_667)

  /// One of each kind, and of each form of it.
  static let everyEntry: [JournalEntry] = [
    beginning, .began(.init(broadcast: id, name: "hall", schema: 7)),
    .recording(path: "recordings/\"hall\"\\\n\u{1}é😀.mp4", tracks: "cd34"),
    .live(.record), .live(.append), .live(.live), .outputAccepted("main"),
    .interrupted(cause: "user", mediaAt: .milliseconds(1234), resumableUntil: instant(130).wall),
    .interrupted("device", at: 0), .resumed(mediaAt: .milliseconds(1234)), .resumed(mediaAt: .zero, gap: 7),
    .gap(gap), .losing(gap), .gap(Gap(.xrun, wall: 1...1, at: 0)),
    .gap(Gap(.source, wall: 1...1, at: 0, isFilled: true)),
    .losing(Gap(.source, wall: 1...1, at: 0, isFilled: false)),
    .checkpoint(MediaTime(nanoseconds: 86_400_000_000_001)),
    .checkpoint(
      .seconds(9),
      behind: [
        "\"é\n": [.video: MediaTime(nanoseconds: 7_000_000_001), .audio: .zero], "b": [.audio: .zero],
      ]),
    .session(.init(elapsed: .seconds(1), uncounted: .zero, length: .seconds(7200))),
    .session(
      .init(
        elapsed: .seconds(90), uncounted: .milliseconds(1), length: .seconds(7800),
        requests: ["\"é\n😀": .seconds(600), "b": .zero])), .muted([.audio, .video]), .muted([]),
    .gate(verdict: "passed", reason: nil, by: "Max"), .gate(verdict: "refused", reason: "no \"light\""),
    .backgrounded, .ended(.init(reason: "stopped")),
    .ended(.init(reason: "crash", duration: .seconds(9), gaps: 2)), .reported,
  ]

  /// By a clock that was set ahead by `step`.
  static func instant(_ second: Double, boot: String? = "boot-1", step: Double = 0) -> JournalInstant {
    JournalInstant(
      wall: WallTime(nanoseconds: 1_795_234_930_123_456_789 + Int64(second * 1e9)) + MediaTime(seconds: step),
      sinceBoot: MediaTime(nanoseconds: 5_000_000_000_007 + Int64(second * 1e9)), bootID: boot)
  }

  static func record(
    _ second: Double, _ entry: JournalEntry, boot: String? = "boot-1", step: Double = 0
  ) -> JournalRecord {
    JournalRecord(at: instant(second, boot: boot, step: step), entry)
  }

  static func records(_ entries: [JournalEntry]) -> [JournalRecord] {
    entries.enumerated().map { record(Double($0.offset), $0.element) }
  }

  static func bytes(_ records: [JournalRecord]) -> [UInt8] { records.flatMap { Array("\($0)\n".utf8) } }

  static func journal(_ entries: JournalEntry...) -> Journal { Journal(bytes(records(entries))) }

  static func journal(_ records: [(Double, JournalEntry)]) -> Journal {
    Journal(bytes(records.map { record($0.0, $0.1) }))
  }

  /// A broadcast that was live a second after it began, with these entries since.
  static func unfinished(_ records: [(Double, JournalEntry)]) throws -> UnfinishedBroadcast {
    try #require(UnfinishedBroadcast(journal([(0, beginning), (1, .live(.record))] + records)))
  }
}

extension Gap {
  /// Of a journal sample: all times are in seconds.
  init(
    _ cause: Cause, id: Int = 0, output: String? = nil, wall: ClosedRange<Double>, at media: Double,
    video: Double = 0, pictures: Int = 0, audio: Double = 0, extent: Double = 0, isFilled: Bool? = nil,
    member: String? = nil
  ) {
    self.init(
      cause, id: id, output: output, wallFrom: JournalSample.instant(wall.lowerBound).wall,
      wallTo: JournalSample.instant(wall.upperBound).wall, mediaAt: MediaTime(seconds: media),
      lostVideo: MediaTime(seconds: video), lostPictures: pictures, lostAudio: MediaTime(seconds: audio),
      extent: MediaTime(seconds: extent), isFilled: isFilled, member: member)
  }
}

extension JournalEntry {
  static func interrupted(_ cause: String, at second: Double) -> JournalEntry {
    .interrupted(cause: cause, mediaAt: MediaTime(seconds: second), resumableUntil: nil)
  }
}
