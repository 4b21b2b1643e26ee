import HoldfastMediaModel
import HoldfastPlatform
import HoldfastPostproduction
import TestSupport
import Testing

@testable import HoldfastBroadcasting
@testable import HoldfastMP4
@testable import HoldfastRecording

/// What a power cut at a change of files leaves.
@Suite struct UnfinishedFilesTests {
  private let folder = ScratchFolder()
  private var first: String { folder.file("hall-20261121T042210Z.mp4") }
  private var second: String { folder.file("hall-20261121T042212Z.mp4") }

  /// Pictures alone, 30 a second.
  private func write(seconds: Double, to path: String, isFinished: Bool = false) throws {
    var writer = try FragmentWriter(path: path, tracks: [SampleTracks.video])
    for number in 0..<Int64(seconds * 30) { try writer.write(.picture(number, isKeyframe: number % 15 == 0)) }
    if isFinished { try writer.finish() }
  }

  /// The second file begins at 2 s.
  private static func entries(_ first: String, _ second: String) -> [JournalEntry] {
    [
      .began(.init(broadcast: "id", name: "hall")), .recording(path: first, tracks: ""), .live(.record),
      .recording(path: second, tracks: "", origin: .seconds(2)),
    ]
  }

  private func files(_ entries: JournalEntry...) throws -> UnfinishedFiles {
    let lines = (Self.entries(first, second) + entries).flatMap { JournalRecord(at: .now(), $0).line }
    return UnfinishedFiles(of: try #require(UnfinishedBroadcast(Journal(lines))))
  }

  @Test func `what the earlier file lacks is a gap, unless the journal has one there`() throws {
    try write(seconds: 1.5, to: first)
    try write(seconds: 0.5, to: second)
    let losses = try files().seamLosses()
    #expect(losses.count == 1)
    let gap = try #require(losses.first)
    #expect(gap.cause == .crash && gap.output == Gap.recording && gap.mediaAt == .milliseconds(1500))
    #expect(gap.lostVideo == .milliseconds(500) && gap.lostAudio == .zero)
    let known = Gap(
      .diskFailed, id: 1, output: Gap.recording, wallFrom: .now, wallTo: .now, mediaAt: .milliseconds(1500),
      lostVideo: .milliseconds(500))
    #expect(try files(.gap(known)).seamLosses() == [])
  }

  @Test func `a whole earlier file lacks nothing`() throws {
    try write(seconds: 2, to: first, isFinished: true)
    try write(seconds: 0.5, to: second)
    #expect(try files().seamLosses() == [])
    #expect(try files().torn(but: second) == [])
    #expect(try files().torn(but: nil) == [second])
  }

  @Test func `a file without its head gets that of the one before`() throws {
    try write(seconds: 2, to: first, isFinished: true)
    try write(seconds: 1, to: second)
    let whole = try FileDescriptor.contents(of: second, limit: 1 << 20)
    let head = try FragmentedFile(RecordingBytes(whole)).headLength
    try FileDescriptor.openForUpdating(second).write([UInt8](repeating: 0, count: head), at: 0)
    #expect(try files().cleanUp(keepsHeads: true) == [.repaired(second)])
    #expect(try FragmentedFile(path: second).end == .seconds(1))
  }

  @Test(arguments: [0, 100, 5000])
  func `a file without any sample is removed, one that is only unreadable is not`(zeros: Int) throws {
    try write(seconds: 2, to: first, isFinished: true)
    _ = try folder.write(String(repeating: "\0", count: zeros), to: "hall-20261121T042212Z.mp4")
    #expect(try files().cleanUp(keepsHeads: true) == [.removed(second)])
    #expect(!fileExists(second) && fileExists(first))
    _ = try folder.write("something with moof in it", to: "hall-20261121T042212Z.mp4")
    #expect(try files().cleanUp(keepsHeads: true) == [])
    #expect(fileExists(second))
  }

  @Test func `a removed file is told, and the one before it lacks no next one`() throws {
    try write(seconds: 2, to: first, isFinished: true)
    _ = try folder.write("", to: "hall-20261121T042212Z.mp4")
    #expect(try finish(first, second) == ["\(second) had no readable media, and was removed"])
    let journals = try JournalFolder(name: "hall", path: folder.file("state"))
    let found = try RecordingVerification(
      path: first, journal: "\(journals.path)/id.jsonl", marks: .off, environment: [:])
    #expect(found.defects.map(\.kind) == [])
    #expect(try journals.journal(of: "id").isEnded)
  }

  /// Finishes a broadcast of `hall` whose journal names these files; returns what was told.
  private func finish(_ first: String, _ second: String) throws -> [String] {
    let journals = try JournalFolder(name: "hall", path: folder.file("state"))
    do {
      var writer = try journals.begin("id")
      for entry in Self.entries(first, second) { try writer.write(entry) }
    }
    let told = Locked<[String]>([])
    let recovery = CrashRecovery(configuration: Configuration(), journals: journals, finishing: { _, _ in }) {
      if case .warning(let text) = $0 { told.withLock { $0.append(text) } }
    }
    recovery.finish(try #require(UnfinishedBroadcast(try journals.journal(of: "id"))))
    return told.withLock { $0 }
  }

  @Test func `a journal changes no file that is not named after its broadcaster`() throws {
    let (other, empty) = (folder.file("yard-20261121T042210Z.mp4"), folder.file("notes.mp4"))
    try write(seconds: 1.5, to: other)
    _ = try folder.write("", to: "notes.mp4")
    let before = try FileDescriptor.contents(of: other, limit: 1 << 20)
    let told = try finish(other, empty)
    #expect(try FileDescriptor.contents(of: other, limit: 1 << 20) == before)
    #expect(fileExists(empty))
    #expect(told.count { $0.contains("is not a recording of hall") } == 2)
  }

  @Test func `a journal changes no file that somebody is writing`() throws {
    var writer = try FragmentWriter(path: first, tracks: [SampleTracks.video])
    try writer.write(.picture(0))
    let before = try FileDescriptor.contents(of: first, limit: 1 << 20)
    let told = try finish(first, second)
    #expect(try FileDescriptor.contents(of: first, limit: 1 << 20) == before)
    #expect(told.contains { $0.contains("is being written") })
    try writer.finish()
  }

  @Test func `a head without samples is kept to be continued, and else removed`() throws {
    try write(seconds: 2, to: first, isFinished: true)
    try write(seconds: 0, to: second)
    #expect(try files().cleanUp(keepsHeads: true) == [])
    #expect(try files().cleanUp(keepsHeads: false) == [.removed(second)])
  }
}
