import Foundation
import Marks
import TestSupport
import Testing

@Suite struct RecordingTests {
  @Test func `ten seconds are three hundred pictures and ten seconds of sound, together`() throws {
    let folder = try ScratchFolder()
    let result = try HoldfastProcess.run([
      "publish", "--video", "test", "--audio", "tone", "--record", folder.path, "--duration", "10s",
    ])
    #expect(result.status == 0, "\(result.errors)")
    let path = try #require(folder.recordings.first)
    let marks = try RecordingMarks(path: path)
    #expect(abs(marks.report.pictures - 300) <= 1)
    #expect(marks.report.unreadable == 0)
    #expect(marks.report.missing.isEmpty)
    #expect(marks.report.repeated == 0)
    let offset = try #require(marks.report.offset)
    #expect(max(abs(offset.minimum), abs(offset.maximum)) <= 5)
    #expect(abs(marks.audioSeconds - 10) <= 1024.0 / 48_000)
    #expect(marks.audioStart == 0)
    #expect(marks.pictureTimes.first == 0)
  }
}
