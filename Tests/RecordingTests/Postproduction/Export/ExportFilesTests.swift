import HoldfastMarks
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastPostproduction
@testable import HoldfastRecording

@Suite struct ExportFilesTests {
  private let scene = ExportScene()
  private let media: MarkedMedia

  init() throws { media = try MarkedMedia.Kind.h264AAC.media() }

  private var second: String { scene.folder.file("hall-20261121T042210Z-2.mp4") }

  private func kind(_ request: Export.Request) -> RecordingFileError.Kind? {
    failure { () throws(RecordingFileError) in try Export(request).run() }?.kind
  }

  @Test(arguments: Export.Gaps.allCases)
  func `an export joins parts, with the time between them as a gap`(gaps: Export.Gaps) throws {
    try media.write([(0..<3, 0)], to: scene.recording, isFinished: false)
    try media.write([(5..<8, 0)], to: second)
    try scene.journal(
      (3, .interrupted("crash", at: 3)), (5, .recording(path: second, tracks: "ab12", origin: .seconds(3))),
      (5, .resumed(mediaAt: .seconds(3))))
    let result = try scene.export(gaps, parts: [scene.recording, second])
    let marks = try scene.marks()
    #expect(result.gaps.map(\.title) == ["04:22:15 Crash: 2.0 s missing"])
    #expect(abs(result.duration.seconds - (gaps == .keep ? 8 : 6)) < 0.05)
    #expect(marks.report.goingBack == 0 && marks.missingPictures == 60 && marks.spread <= soundPacket)
    #expect(try scene.complaints() == "")
  }

  @Test func `parts without a journal follow each other without a gap`() throws {
    try media.write([(0..<3, 0)], to: scene.recording)
    try media.write([(5..<8, 0)], to: second)
    let result = try scene.export(parts: [scene.recording, second])
    #expect(result.gaps.isEmpty && abs(result.duration.seconds - 6) < 0.05)
  }

  @Test func `an export refuses a part with other headers, with advice`() throws {
    try media.write([(0..<3, 0)], to: scene.recording)
    try MarkedMedia.Kind.foreignH264.media().write([(5..<8, 0)], to: second)
    #expect { try Export(scene.request(parts: [scene.recording, second])) } throws: {
      "\($0)".contains("headers") && "\($0)".contains("export it separately: holdfast export \(second)")
    }
    try MarkedMedia.Kind.hevcOpus.media().write([(5..<8, 0)], to: scene.folder.file("c.mp4"))
    #expect(kind(scene.request(parts: [scene.recording, scene.folder.file("c.mp4")])) == .unusable)
  }

  @Test func `an export names a forgotten part in a note`() throws {
    try media.write([(0..<1, 0)], to: scene.recording)
    try media.write([(1..<2, 0)], to: second)
    #expect(try Export(scene.request()).notes.contains { $0.hasPrefix(second) })
    let both = scene.request(parts: [scene.recording, second])
    #expect(try !Export(both).notes.contains { $0.hasPrefix(second) })
  }

  @Test func `chapters begin where media continues after a gap`() throws {
    try media.write([(0..<3, 0), (5..<9, 5)], to: scene.recording)
    try scene.journal((5, .gap(Gap(.disk, wall: 3...5, at: 3, video: 2, pictures: 60, audio: 2))))
    try scene.export(.keep)
    let chapters = try scene.chapters()
    #expect(chapters.count == 2 && chapters[0] == "0.000000 Start")
    #expect(chapters.last?.hasSuffix("04:22:15 Disk full: 2.0 s missing") == true)
    let start = chapters.last.flatMap { Double($0.prefix { $0 != " " }) }
    #expect(abs(try #require(start) - 5) <= soundPacket / 1000)
  }

  @Test func `an export without chapters has none`() throws {
    try media.write([(0..<3, 0), (5..<9, 5)], to: scene.recording)
    try scene.export { $0.hasChapters = false }
    #expect(try scene.chapters().isEmpty)
  }

  @Test(arguments: [
    (Export.Gaps.close, "00:00:03.000 --> 00:00:06.000"), (.keep, "00:00:03.000 --> 00:00:05.000"),
  ])
  func `captions name the causes of gaps`(gaps: Export.Gaps, time: String) throws {
    try media.write([(0..<3, 0), (5..<9, 3)], to: scene.recording)
    try scene.journal((3, .interrupted("a<b> & --> c", at: 3)), (5, .resumed(mediaAt: .seconds(3))))
    try scene.export(gaps) { $0.captions = scene.captions }
    let text = String(decoding: try SampleRecording.bytes(scene.captions), as: UTF8.self)
    #expect(text == "WEBVTT\n\n1\n\(time)\n04:22:15 a&lt;b&gt; &amp; --&gt; c: 2.0 s missing\n")
    let read = try Tool.run(["ffprobe", "-v", "error", "-show_packets", scene.captions])
    #expect(read.contains("[PACKET]"))
  }

  @Test(arguments: ["out.mp4", "out.vtt"])
  func `an export does not replace existing files`(name: String) throws {
    try media.write([(0..<1, 0)], to: scene.recording)
    let there = try scene.folder.write("mine", to: name)
    #expect(kind(scene.request { $0.captions = scene.captions }) == .misuse)
    #expect(try FileDescriptor.contents(of: there, limit: 9) == Array("mine".utf8))
  }

  @Test func `an export takes over what a killed one has left, but nothing that is being written`() throws {
    try media.write([(0..<1, 0)], to: scene.recording)
    let leftover = UnfinishedFile.path(for: scene.output)
    do {
      let running = try UnfinishedFile(name: scene.output)
      #expect(kind(scene.request()) == .misuse)
      #expect(fileExists(leftover))
      #expect(try running.file.size() == 0)
    }
    _ = try scene.folder.write(String(repeating: "x", count: 1 << 20), to: "out.mp4.holdfast-part")
    try scene.export()
    #expect(!fileExists(leftover) && fileExists(scene.output))
    #expect(try Tool.run(["ffprobe", "-v", "error", scene.output]).isEmpty)
  }

  @Test func `a cancelled export leaves no files`() throws {
    try media.write([(0..<6, 0)], to: scene.recording)
    let export = try Export(scene.request())
    let asked = Locked(0)
    #expect(throws: RecordingFileError.self) {
      _ = try export.run(isCancelled: {
        asked.withLock {
          $0 += 1
          return $0 > 100
        }
      })
    }
    #expect(fileNames(in: scene.folder.path) == [ExportScene.name])
  }

  @Test func `a file that appears under the output's name meanwhile is not overwritten`() throws {
    try media.write([(0..<2, 0)], to: scene.recording)
    let export = try Export(scene.request())
    _ = try scene.folder.write("mine", to: "out.mp4")
    #expect(throws: RecordingFileError.self) { _ = try export.run() }
    #expect(try FileDescriptor.contents(of: scene.output, limit: 9) == Array("mine".utf8))
    #expect(!fileExists(UnfinishedFile.path(for: scene.output)))
  }

  @Test func `missing and unusable recordings and journals are distinguished`() throws {
    #expect(kind(scene.request()) == .notFound)
    _ = try scene.folder.write("no recording", to: ExportScene.name)
    #expect(kind(scene.request()) == .unusable)
    #expect(kind(scene.request(parts: [scene.folder.path])) == .unusable)
    try media.write([(0..<1, 0)], to: second)
    let kinds = [scene.folder.file("none"), scene.recording].map { journal in
      kind(scene.request(parts: [second]) { $0.journal = journal })
    }
    #expect(kinds == [.notFound, .unusable])
  }

  @Test func `a recording with a head alone is unusable`() throws {
    try media.write([], to: scene.recording)
    #expect(kind(scene.request()) == .unusable)
  }
}
