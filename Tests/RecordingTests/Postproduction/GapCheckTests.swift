import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastPostproduction
@testable import HoldfastRecording

/// A recording checked against its journal.
@Suite struct GapCheckTests {
  private let folder = ScratchFolder()
  private var path: String { folder.file("hall-20261121T042210Z.mp4") }

  /// `origin`: where the file begins on the media timeline.
  private func check(
    _ file: SampleFile, origin: Int64 = 0, _ entries: [(Double, JournalEntry)]
  ) throws -> RecordingVerification {
    try SampleRecording.write(file.bytes, to: path)
    return try check(origin: origin, entries)
  }

  /// Checks the file that is there.
  private func check(origin: Int64 = 0, _ entries: [(Double, JournalEntry)]) throws -> RecordingVerification {
    let began = JournalEntry.recording(path: path, tracks: "ab12", origin: .seconds(origin))
    let records = [(0, JournalSample.beginning), (0, began)] + entries
    let journal = try folder.write(
      records.map { "\(JournalSample.record($0.0, $0.1))\n" }.joined(), to: "a.jsonl")
    return try RecordingVerification(path: path, journal: journal, marks: .off, environment: [:])
  }

  private func gap(
    _ cause: Gap.Cause, _ output: String? = nil, at second: Double, video: Double = 0, audio: Double = 0,
    isFilled: Bool? = nil
  ) -> JournalEntry {
    .gap(Gap(cause, output: output, wall: 1...2, at: second, video: video, audio: audio, isFilled: isFilled))
  }

  @Test func `a hole that the journal names is not a defect`() throws {
    let entries = [
      (5.0, gap(.diskTooSlow, "recording", at: 2, video: 3)),
      (5, gap(.diskTooSlow, "recording", at: 2, audio: 3)),
    ]
    let found = try check(SampleFile(.grown, leap: 3), entries)
    #expect(found.defects == [] && found.gapCheck?.gaps.map(\.kind) == [.hole, .hole])
  }

  @Test func `a hole without a gap in the journal is a defect, and so is a gap without a hole`() throws {
    #expect(
      try check(SampleFile(.grown, leap: 3), []).defects.map(\.kind) == [.holeWithoutGap, .holeWithoutGap])
    let entries = [(5.0, gap(.diskTooSlow, "recording", at: 1, video: 2))]
    #expect(try check(SampleFile(.grown), entries).defects.map(\.kind) == [.gapWithoutHole])
  }

  @Test func `gaps are shifted by the file's start in the broadcast`() throws {
    let entries = [(5.0, gap(.disk, at: 102, video: 3, audio: 3))]
    let found = try check(SampleFile(.plain, leap: 3), origin: 100, entries)
    #expect(found.defects == [] && found.gapCheck?.gaps.first?.at == .seconds(2))
  }

  @Test func `a gap with several holes explains one far from its beginning`() throws {
    for (extent, defects) in [(11.0, 0), (4, 2)] {
      let stretch = Gap(.encoderTooSlow, wall: 1...12, at: 94, video: 4, audio: 4, extent: extent)
      let found = try check(SampleFile(.plain, leap: 3), origin: 100, [(12, .gap(stretch))])
      #expect(found.defects.count == defects, "\(found.defects)")
    }
  }

  @Test func `a gap of an output alone is no hole in the recording`() throws {
    #expect(
      try check(SampleFile(.plain), [(5, gap(.network, "main", at: 1, video: 2, audio: 2))]).defects == [])
  }

  @Test(arguments: TrackKind.allCases, [.source, .device, .deviceBusy, .encoderTooSlow] as [Gap.Cause])
  func `a gap that the journal marks as filled needs no hole, and one that it marks as not filled does`(
    track: TrackKind, cause: Gap.Cause
  ) throws {
    func found(_ file: SampleFile, _ isFilled: Bool?, at second: Double, _ length: Double) throws
      -> RecordingVerification
    {
      let (video, audio) = track == .video ? (length, 0) : (0, length)
      return try check(file, [(5, gap(cause, at: second, video: video, audio: audio, isFilled: isFilled))])
    }
    let filled = try found(SampleFile(.plain), true, at: 1, 2)
    #expect(filled.defects == [] && filled.gapCheck?.gaps.map(\.kind) == [.filled])
    #expect(try found(SampleFile(.plain), false, at: 1, 2).defects.map(\.kind) == [.gapWithoutHole])
    // A journal of an earlier version does not say: nothing takes the place of pictures that are not encoded.
    let isKnown = cause != .encoderTooSlow || track == .audio
    let untold = try found(SampleFile(.plain), nil, at: 1, 2)
    #expect(untold.defects.isEmpty == isKnown)
    #expect(untold.gapCheck?.gaps.map(\.kind) == [isKnown ? .filled : .notThere])
    // The hole that is there is explained in any case; the other track's is not.
    for isFilled in [true, false, nil] as [Bool?] {
      let hole = try found(SampleFile(.grown, leap: 3), isFilled, at: 2, 3)
      #expect(hole.defects.map(\.kind) == [.holeWithoutGap] && hole.gapCheck?.gaps.map(\.kind) == [.hole])
    }
  }

  @Test(
    arguments: [(9, .source, true), (10, .source, false), (9, .device, false), (9, .disk, false)]
      as [(Int, Gap.Cause, Bool)])
  func `only what a source that sends next to nothing has lost needs no hole`(
    pictures: Int, cause: Gap.Cause, isExcused: Bool
  ) throws {
    // One picture a second, and all of the sound.
    let packets = SampleRecording.packets(0..<Double(pictures) - 0.8).filter {
      $0.track == .audio || $0.decodeTime.nanoseconds.isMultiple(of: 1_000_000_000)
    }
    try SampleRecording.write(packets, to: path, isFinished: true)
    let found = try check([(9, gap(cause, "recording", at: 2, video: 2))])
    #expect(found.defects.map(\.kind) == (isExcused ? [] : [.gapWithoutHole]))
    #expect(found.gapCheck?.gaps.map(\.kind) == [isExcused ? .hole : .notThere])
  }

  private var interrupted: [(Double, JournalEntry)] {
    [(2, .interrupted("user", at: 2)), (5, .resumed(mediaAt: .seconds(2)))]
  }

  @Test func `an interruption leaves no hole when gaps are closed up`() throws {
    let found = try check(SampleFile(.grown), interrupted)
    #expect(found.defects == [] && found.gapCheck?.keepsGaps == false)
    let pauses = try #require(found.gapCheck?.pauses)
    #expect((pauses.map(\.at), pauses.map(\.wall)) == ([.seconds(2)], [.seconds(3)]))
  }

  @Test func `an interruption leaves a hole when gaps are kept`() throws {
    let kept = JournalEntry.recording(path: path, tracks: "ab12", origin: .seconds(-3))
    let found = try check(SampleFile(.grown, leap: 3), interrupted + [(5, kept)])
    #expect(found.defects == [] && found.gapCheck?.keepsGaps == true)
    #expect(try check(SampleFile(.grown, leap: 3), interrupted).defects.count == 2)
  }

  @Test func `an interruption before a further file is not kept in it`() throws {
    let before: [(Double, JournalEntry)] = [
      (1, .interrupted("user", at: 10)), (4, .resumed(mediaAt: .seconds(10))),
      (6, .interrupted("user", at: 12)), (9, .resumed(mediaAt: .seconds(12))),
      (9, .recording(path: path, tracks: "ab12", origin: .seconds(7))),
    ]
    let found = try check(SampleFile(.grown, leap: 3), origin: 10, before)
    #expect(found.defects == [] && found.gapCheck?.pauses.map(\.at) == [.zero, .seconds(2)])
  }

  @Test func `a file continues when the next one could not be opened`() throws {
    let next = JournalEntry.recording(path: folder.file("next.mp4"), tracks: "ab12", origin: .seconds(1))
    let again = JournalEntry.recording(path: path, tracks: "ab12", origin: .zero)
    let lost = gap(.disk, "recording", at: 2, video: 3, audio: 3)
    let found = try check(SampleFile(.grown, leap: 3), [(1, next), (1, again), (5, lost)])
    #expect(found.defects == [] && found.gapCheck?.gaps.count == 1)
  }

  @Test
  func
    `silence up to the resumption after a crash may fill a gap in the sound, but nothing fills the picture`()
    throws
  {
    let crash: [(Double, JournalEntry)] = [
      (5, .interrupted("crash", at: 3)), (6, .resumed(mediaAt: .seconds(3))),
    ]
    let sound = try check(SampleFile(.plain), [(4, gap(.disk, "recording", at: 1, audio: 2))] + crash)
    #expect(sound.defects == [] && sound.gapCheck?.gaps.map(\.kind) == [.filled])
    let picture = try check(SampleFile(.plain), [(4, gap(.disk, "recording", at: 1, video: 2))] + crash)
    #expect(picture.defects.map(\.kind) == [.gapWithoutHole])
  }

  @Test(arguments: [1.0, 2, 4, 5])
  func `a gap whose length is not that of its hole is a defect`(length: Double) throws {
    let entries = [(5.0, gap(.disk, "recording", at: 2, video: length, audio: length))]
    let found = try check(SampleFile(.grown, leap: 3), entries)
    #expect(
      found.defects.map(\.kind) == (length < 3 ? [.holeWithoutGap, .holeWithoutGap] : [.gapWithoutHole]))
  }

  @Test func `the journal is found by the recording's name`() throws {
    let state = folder.file("state/holdfast/hall-2")
    try createDirectory(state)
    let recording = folder.file("hall-2-20261121T042210Z-3.mp4")
    try SampleRecording.write(SampleFile(.plain).bytes, to: recording)
    for (name, path) in [("20261121T042210Z-aaaa", recording), ("20261121T052210Z-bbbb", "/other.mp4")] {
      let record = JournalSample.record(1, .recording(path: path, tracks: "a"))
      try SampleRecording.write(JournalSample.bytes([record]), to: "\(state)/\(name).jsonl")
    }
    let environment = ["XDG_STATE_HOME": folder.file("state")]
    let found = try RecordingVerification(path: recording, marks: .off, environment: environment)
    #expect(found.journal?.path == "\(state)/20261121T042210Z-aaaa.jsonl")
  }

  @Test func `a journal of another recording is refused`() throws {
    let journal = try folder.write("", to: "b.jsonl")
    try SampleRecording.write(SampleFile(.plain).bytes, to: path)
    #expect(throws: RecordingFileError.self) {
      try RecordingVerification(path: path, journal: journal, environment: [:])
    }
  }
}
