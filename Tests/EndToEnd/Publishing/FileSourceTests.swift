import Foundation
import HoldfastMarks
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

    @Test func `a file with pictures in another order is copied whole, in step with its sound`() throws {
      let folder = try ScratchFolder()
      let source = folder.file("reordered.mkv")
      try Tool.run([
        "ffmpeg", "-v", "error", "-i", try original(folder), "-c:v", "libx264", "-bf", "3", "-g", "250",
        "-b:v", "500k",
        "-c:a", "copy", source,
      ])
      let result = try HoldfastProcess.run([
        "publish", "--video", "file:\(source)", "--audio", "file:\(source)", "--encoder", "copy", "--record",
        folder.path,
      ])
      #expect(result.status == 0, "\(result.errors)")
      let marks = try RecordingMarks(path: try #require(folder.recordings.first))
      #expect(abs(marks.report.pictures - 60) <= 1)
      #expect(marks.report.missing.isEmpty)
      let offset = try #require(marks.report.offset)
      #expect(max(abs(offset.minimum), abs(offset.maximum)) <= 5)
    }

    @Test(arguments: ["x264", "copy"])
    func `pictures that claim the same time cost no more than themselves`(encoder: String) throws {
      let folder = try ScratchFolder()
      let source = folder.file("repeated.mkv")
      try Tool.run([
        "ffmpeg", "-v", "error", "-i", try original(folder), "-an", "-c", "copy", "-bsf:v",
        "setts=ts='if(eq(N,20),PREV_OUTPTS,TS)'", source,
      ])
      let result = try HoldfastProcess.run([
        "publish", "--video", "file:\(source)", "--audio", "off", "--encoder", encoder, "--record",
        folder.path,
        "--events", "-",
      ])
      #expect(result.status == 0, "\(result.errors)")
      #expect(try EventLines(result.output).named("gap").count >= 1)
      #expect(try RecordingMarks(path: #require(folder.recordings.first)).report.pictures >= 40)
    }

    @Test func `the longer track of a file goes on when the shorter one has ended`() throws {
      let folder = try ScratchFolder()
      let source = folder.file("uneven.mkv")
      try Tool.run([
        "ffmpeg", "-v", "error", "-t", "1", "-i", try original(folder), "-f", "lavfi", "-i",
        "sine=sample_rate=48000",
        "-map", "0:v", "-map", "1:a", "-t", "4", "-c:v", "copy", "-c:a", "aac", source,
      ])
      let result = try HoldfastProcess.run([
        "publish", "--video", "file:\(source)", "--audio", "file:\(source)", "--size", "320x180", "--record",
        folder.path,
      ])
      #expect(result.status == 0, "\(result.errors)")
      let marks = try RecordingMarks(path: try #require(folder.recordings.first))
      #expect(abs(marks.audioSeconds - 4) < 0.1)
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
