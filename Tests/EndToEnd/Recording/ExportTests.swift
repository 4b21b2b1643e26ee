import Foundation
import HoldfastMarks
import HoldfastMediaModel
import TestSupport
import TestTraits
import Testing

/// `holdfast export` of a recording.
@Suite(.realTime) struct ExportTests {
  private let folder = ScratchFolder()
  private let recording: String
  private var environment: [String: String] { ["XDG_STATE_HOME": folder.file("state")] }

  /// A broadcast with one interruption.
  init() throws {
    let subject = try HoldfastSubject(options: ["--name", "hall", "--duration", "7s"], in: folder).whenLive()
    usleep(2_500_000)
    try subject.interrupt()
    usleep(1_500_000)
    try subject.resume()
    subject.waitForEnd()
    #expect(subject.status == 0, "\(subject.log)")
    recording = try #require(folder.recordings.first)
  }

  private func export(_ arguments: [String]) throws -> HoldfastProcess.Result {
    try HoldfastProcess.run(["export", recording] + arguments, environment: environment)
  }

  @Test(arguments: ["mp4", "mkv"])
  func `an export with gaps kept puts everything at its wall-clock time`(end: String) throws {
    let output = folder.file("out." + end)
    let result = try export(["--output", output, "--gaps", "keep", "--captions", folder.file("out.vtt")])
    #expect(result.status == 0, "\(result.errors)")
    let before = try RecordingMarks(path: recording)
    let after = try RecordingMarks(path: output)
    // Times advance as at capture, also across the gap.
    let marked = after.pictures.compactMap { picture in picture.mark.map { (picture.time, $0) } }
    let (first, last) = (try #require(marked.first), try #require(marked.last))
    let captured = last.1.captureTime - first.1.captureTime
    #expect(abs((last.0 - first.0 - captured).milliseconds) <= 60, "\(after.report)")
    #expect(try #require(after.report.offsetSpread) <= 20, "\(after.report)")
    #expect(after.report.pictures - after.report.unreadable == before.report.pictures)
    let captions = try String(contentsOfFile: folder.file("out.vtt"), encoding: .utf8)
    #expect(captions.hasPrefix("WEBVTT\n\n1\n") && captions.contains("Interrupted by the user for "))
  }

  @Test func `an export with gaps closed keeps everything recorded, with a chapter for each gap`() throws {
    let output = folder.file("out.mp4")
    let result = try export(["--output", output])
    #expect(result.status == 0 && result.output.contains("exported"), "\(result.errors)")
    let (before, after) = (try RecordingMarks(path: recording), try RecordingMarks(path: output))
    #expect(after.pictureTimes == before.pictureTimes && after.report.offsets == before.report.offsets)
    let chapters = try Tool.run(["ffprobe", "-v", "error", "-show_chapters", output])
    #expect(chapters.contains("TAG:title=Start") && chapters.contains("Interrupted by the user for "))
    #expect(try export(["--output", output]).status == 64)
  }

  @Test func `an export to a full disk leaves no file behind`() throws {
    let script = "trap '' XFSZ; ulimit -f 100; exec \"$0\" \"$@\""
    let output = folder.file("out.mp4")
    // The thread sanitizer writes a file of its own at the start, unless its folder is missing.
    let result = try HoldfastProcess.run(
      ["export", recording, "--output", output], launcher: ["/bin/bash", "-c", script],
      environment: environment.merging(["TEST_TMPDIR": folder.file("missing")]) { $1 })
    #expect(result.status == 74 && result.errors.contains("free some space"), "\(result.errors)")
    #expect(folder.recordings == [recording])
    #expect(!FileManager.default.fileExists(atPath: output + ".holdfast-part"))
  }
}
