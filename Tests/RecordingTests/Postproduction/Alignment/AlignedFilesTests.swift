import HoldfastMarks
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastPostproduction
@testable import HoldfastRecording

/// Recordings with marks, whose pictures say when they were captured, aligned by their journals.
@Suite struct AlignedFilesTests {
  private let folder = ScratchFolder()
  private let media: MarkedMedia

  init() throws { media = try MarkedMedia.Kind.h264AAC.media() }

  /// The path of a recording of what was captured in `pieces`, closed up, with its journal beside it.
  private func box(
    _ name: String, _ pieces: [Range<Double>], media: MarkedMedia? = nil, cause: String = "user",
    offset: Double = 0, isFinished: Bool = true, only: TrackKind? = nil
  ) throws -> String {
    let path = folder.file("\(name)-20261121T042210Z.mp4")
    var (end, places, records) = (0.0, [(from: Range<Double>, at: Double)](), [JournalRecord]())
    func add(_ second: Double, _ entry: JournalEntry) {
      records.append(JournalSample.record(second + offset, entry, boot: name))
    }
    add(pieces[0].lowerBound, .began(.init(broadcast: "\(name)-1", name: name)))
    add(pieces[0].lowerBound, .recording(path: path, tracks: "ab12"))
    add(pieces[0].lowerBound, .live(.record))
    for (index, piece) in pieces.enumerated() {
      if index == 0 { add(piece.lowerBound + 0.25, .checkpoint(.milliseconds(250))) }
      if index > 0 { add(piece.lowerBound, .resumed(mediaAt: MediaTime(seconds: end))) }
      places.append((piece, end))
      end += piece.upperBound - piece.lowerBound
      if index + 1 < pieces.count { add(piece.upperBound, .interrupted(cause, at: end)) }
    }
    try (media ?? self.media).write(places, to: path, isFinished: isFinished, only: only)
    try SampleRecording.write(JournalSample.bytes(records), to: folder.file("\(name)-journal.jsonl"))
    return path
  }

  private func alignment(_ boxes: String...) throws -> Alignment { try Alignment(.init(boxes)) }

  /// One box's tracks of an aligned file by themselves, and where these begin in the file.
  private func lane(_ index: Int, of file: String) throws -> (marks: RecordingMarks, start: Double) {
    let path = folder.file("lane-\(index).mkv")
    try Tool.run([
      "ffmpeg", "-nostdin", "-v", "error", "-y", "-i", file, "-map", "0:v:\(index)", "-map", "0:a:\(index)",
      "-c", "copy", "-copyts", path,
    ])
    let starts = [try start("v:\(index)", of: file), try start("a:\(index)", of: file)]
    return (try RecordingMarks(path: path), try #require(starts.min()))
  }

  /// When the first packet of a track is shown.
  private func start(_ track: String, of file: String) throws -> Double {
    try #require(Tool.probe(file, "packet=pts_time", of: track).joined().first.flatMap { Double($0) })
  }

  /// By how many seconds each picture and beep is away from when it was captured.
  private func errors(_ index: Int, of file: String) throws -> [Double] {
    let (marks, start) = try lane(index, of: file)
    let pictures = marks.pictures.compactMap { picture in
      picture.mark.map { start + picture.time.seconds - ($0.captureTime.seconds - 0.5) }
    }
    #expect(marks.report.unreadable == 0 && marks.report.offsets.count >= 3, "\(marks.report)")
    return pictures + marks.report.offsets.map { $0.milliseconds / 1000 }
  }

  @Test(arguments: AlignedExport.Container.allCases)
  func `every picture and sound of all recordings is at its wall time`(
    container: AlignedExport.Container
  ) throws {
    let alignment = try alignment(
      box("alice", [0..<9]), box("bob", [2.5..<5, 7..<11]),
      box("carol", [1..<3, 3.5..<4.5, 6..<12], cause: "crash", isFinished: false))
    #expect(alignment.recordings.map(alignment.offset).map(\.seconds) == [0, 2.5, 1])
    let output = folder.file("out.\(container)")
    let result = try AlignedExport(alignment, to: output, container).run()
    #expect(result.tracks == 6 && abs(result.duration.seconds - 12) < 0.1)
    for index in 0..<3 {
      let errors = try errors(index, of: output)
      #expect(errors.count > 150 && errors.allSatisfy { abs($0) < 0.03 }, "\(errors.map(abs).max() ?? 0)")
    }
    let streams = try Tool.probe(output).filter { $0["codec_type"] != "data" }
    #expect(streams.map { $0["codec_type"] } == ["video", "audio", "video", "audio", "video", "audio"])
    let key = container == .mkv ? "TAG:title" : "TAG:handler_name"
    #expect(streams.map { $0[key] } == ["alice", "alice", "bob", "bob", "carol", "carol"])
    let format = try Tool.run(["ffprobe", "-v", "error", "-show_entries", "format_tags", output])
    #expect(format.contains("creation_time=2026-11-21T04:22:10"), "\(format)")
    #expect(try decodersComplaints(output, decoding: "-map 0") == "")
  }

  @Test(arguments: AlignedExport.Container.allCases)
  func `an aligned file holds the recorded media byte for byte`(container: AlignedExport.Container) throws {
    let alignment = try alignment(box("alice", [0..<4]), box("bob", [3..<5, 6..<8]))
    let output = folder.file("out.\(container)")
    _ = try AlignedExport(alignment, to: output, container).run()
    for (box, lane) in alignment.recordings.enumerated() {
      for kind in TrackKind.allCases {
        let own = folder.file("own.mkv")
        let track = kind == .video ? "v" : "a"
        try Tool.run([
          "ffmpeg", "-nostdin", "-v", "error", "-y", "-i", output, "-map", "0:\(track):\(box)", "-c", "copy",
          own,
        ])
        let recorded = try SampleRecording.packets(of: lane.path, kind).map(\.bytes)
        #expect(try SampleRecording.packets(of: own, kind).map(\.bytes) == recorded, "\(lane.name) \(kind)")
      }
    }
  }

  @Test func `recordings of other codecs, of pictures alone and of sound alone lie beside each other`() throws
  {
    let alignment = try alignment(
      box("alice", [0..<3], media: MarkedMedia.Kind.hevcOpus.media()), box("bob", [1..<4], only: .video),
      box("carol", [1.5..<3], only: .audio))
    let output = folder.file("out.mkv")
    #expect(try AlignedExport(alignment, to: output, .mkv).run().tracks == 4)
    let starts = try ["0", "1", "2", "3"].map { try start($0, of: output) }
    #expect(zip(starts, [0, 0, 1, 1.5]).allSatisfy { abs($0 - $1) < 0.03 }, "\(starts)")
    #expect(throws: RecordingFileError.self) {
      try AlignedExport(alignment, to: folder.file("out.mov"), .mov)
    }
  }

  @Test func `the files of one broadcast share their tracks`() throws {
    let first = try box("alice", [0..<3])
    let second = folder.file("alice-20261121T042210Z-2.mp4")
    try media.write([(5..<8, 0)], to: second)
    let journal = folder.file("alice-journal.jsonl")
    let more = [
      JournalSample.record(3, .interrupted("crash", at: 3), boot: "alice"),
      JournalSample.record(5, .recording(path: second, tracks: "ab12", origin: .seconds(3)), boot: "alice"),
      JournalSample.record(5, .resumed(mediaAt: .seconds(3)), boot: "alice"),
    ]
    try SampleRecording.write(SampleRecording.bytes(journal) + JournalSample.bytes(more), to: journal)
    let alignment = try alignment(second, first)
    let output = folder.file("out.mkv")
    #expect(try AlignedExport(alignment, to: output, .mkv).run().tracks == 2)
    #expect(try errors(0, of: output).allSatisfy { abs($0) < 0.03 })
    let lists = try EditLists(alignment, to: folder.file("out.edl"))
    #expect(lists.paths == [folder.file("out.edl")])
  }

  @Test func `a recording without a journal has no place, and the others have theirs`() throws {
    let (alice, bob) = (try box("alice", [0..<2]), try box("bob", [1..<2]))
    removeFile(folder.file("bob-journal.jsonl"))
    let alignment = try alignment(alice, bob)
    #expect(alignment.recordings.map(\.name) == ["alice"])
    let failure = try #require(alignment.failures.first)
    #expect(failure.kind == .unusable && failure.what == bob)
    #expect(failure.reason.contains("no journal names it"))
    #expect(throws: failure) { try AlignedExport(alignment, to: folder.file("o.mkv"), .mkv) }
    #expect(throws: failure) { try EditLists(alignment, to: folder.file("o.edl")) }
    #expect(try Alignment(.init([folder.file("none.mp4")])).failures.map(\.kind) == [.notFound])
  }

  @Test func `recordings that have no instant in common are known`() throws {
    let (alice, bob) = (try box("alice", [0..<1.5, 4..<6]), try box("bob", [2..<3.5]))
    let apart = try alignment(alice, bob)
    #expect(apart.recordings.allSatisfy { !apart.overlapsAnother($0) } && apart.clockCount == 2)
    let carol = try alignment(alice, bob, box("carol", [3..<4.5]))
    #expect(carol.recordings.allSatisfy(carol.overlapsAnother))
  }

  @Test func `a box whose clock is ahead lies as much later`() throws {
    let alignment = try alignment(box("alice", [0..<2]), box("bob", [0..<2], offset: 86_400))
    #expect(alignment.recordings.map(alignment.offset).map(\.seconds) == [0, 86_400])
    #expect(throws: RecordingFileError.self) { try EditLists(alignment, to: folder.file("out.edl")) }
  }

  @Test func `there is an edit list for each recording, with one origin`() throws {
    let alignment = try alignment(box("alice", [0..<4]), box("bob", [1..<3, 6..<8]))
    let lists = try EditLists(alignment, to: folder.file("event.edl"))
    let paths = [folder.file("event-1-alice.edl"), folder.file("event-2-bob.edl")]
    #expect(lists.paths == paths && lists.notes.isEmpty)
    try lists.write()
    let texts = try paths.map { String(decoding: try SampleRecording.bytes($0), as: UTF8.self) }
    let events = texts.map { $0.split(separator: "\n").filter { $0.hasPrefix("00") } }
    #expect(events[0] == ["001  ALICE    AA/V  C        00:00:00:00 00:00:04:00 01:00:00:00 01:00:04:00"])
    #expect(events[1].first == "001  BOB      AA/V  C        00:00:00:00 00:00:02:00 01:00:01:00 01:00:03:00")
    #expect(events[1].last == "002  BOB      AA/V  C        00:00:02:00 00:00:04:00 01:00:06:00 01:00:08:00")
    #expect(throws: RecordingFileError.self) { try EditLists(alignment, to: folder.file("event.edl")) }
  }

  @Test func `an aligned file replaces nothing, and one that is stopped leaves nothing`() throws {
    let alignment = try alignment(box("alice", [0..<4]))
    let output = try folder.write("mine", to: "out.mkv")
    #expect(throws: RecordingFileError.self) { try AlignedExport(alignment, to: output, .mkv) }
    let other = folder.file("other.mkv")
    let export = try AlignedExport(alignment, to: other, .mkv)
    #expect(throws: RecordingFileError.self) { _ = try export.run(isCancelled: { true }) }
    #expect(!fileExists(other) && !fileExists(UnfinishedFile.path(for: other)))
  }
}
