import Foundation
import Marks
import TestSupport
import Testing

extension ProgramTests {
  @Suite struct FileSources {
    /// Two seconds of the test picture and tone, as a file.
    private func original(_ folder: ScratchFolder) throws -> String {
      let result = try HoldfastProcess.run([
        "publish", "--video", "test", "--audio", "tone", "--size", "320x180", "--duration", "2s", "--record",
        folder.file("original"), "--gop", "500ms",
      ])
      #expect(result.status == 0, "\(result.errors)")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("original"))
      return folder.file("original") + "/" + (try #require(names.first))
    }

    @Test(arguments: ["x264", "copy"])
    func `a file goes through in real time, whole and in step`(encoder: String) throws {
      let folder = try ScratchFolder()
      let source = try original(folder)
      let result = try HoldfastProcess.run([
        "publish", "--video", "file:\(source)", "--audio", "file:\(source)", "--encoder", encoder, "--record",
        folder.path, "--events", "-",
      ])
      #expect(result.status == 0, "\(result.errors)")
      let events = try EventLines(result.output)
      #expect(events.named("ended").first?["reason"] as? String == "sourceEnded")
      let marks = try RecordingMarks(path: try #require(folder.recordings.first))
      let told = events.lostMilliseconds("video") * 30 / 1000
      #expect(abs(Double(marks.report.pictures) + told - 60) <= 1)
      #expect(marks.report.repeated == 0)
      let offset = try #require(marks.report.offset)
      #expect(max(abs(offset.minimum), abs(offset.maximum)) <= 5)
    }

    @Test func `a looped file goes on until its time is over`() throws {
      let folder = try ScratchFolder()
      let source = try original(folder)
      let result = try HoldfastProcess.run([
        "publish", "--video", "file:\(source)", "--audio", "file:\(source)", "--loop", "--duration", "5s",
        "--record", folder.path, "--events", "-",
      ])
      #expect(result.status == 0, "\(result.errors)")
      let marks = try RecordingMarks(path: try #require(folder.recordings.first))
      let told = try EventLines(result.output).lostMilliseconds("video") * 30 / 1000
      #expect(abs(Double(marks.report.pictures) + told - 150) <= 2)
      #expect(marks.report.goingBack == 2)
      #expect(abs(marks.audioSeconds - 5) <= 1024.0 / 48_000)
    }
  }
}
