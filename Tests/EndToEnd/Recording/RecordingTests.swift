import Foundation
import HoldfastMarks
import TestSupport
import TestTraits
import Testing

/// Recordings of the test signals.
@Suite(.realTime) struct RecordingTests {
  private let folder = ScratchFolder()

  @Test func `a ten-second recording has 300 pictures and ten seconds of sound, in step`() throws {
    let run = try FinishedBroadcast(["--duration", "10s"], in: folder)
    let (marks, told) = (try run.marks, run.events.lostPictures())
    #expect(abs(Double(marks.report.pictures) + told - 300) <= 1)
    #expect(told > 0 || marks.missingPictures == 0)
    #expect(marks.report.unreadable == 0 && marks.report.repeated == 0)
    #expect(try #require(marks.report.greatestOffset) <= 5)
    #expect(abs(marks.audioSeconds - 10) <= 1024.0 / 48_000)
    #expect(marks.audioStart == 0 && marks.pictureTimes.first == 0)
  }

  @Test(arguments: [("h264", "aac"), ("hevc", "opus"), ("av1", "aac")])
  func `ffprobe reads the file of every codec`(video: String, audio: String) throws {
    let run = try FinishedBroadcast(
      ["--duration", "3s", "--size", "320x180", "--fps", "15", "--bitrate", "300k"]
        + ["--video-codec", video, "--audio-codec", audio], in: folder)
    #expect(try Tool.probe(run.path).map { $0["codec_name"] } == [video, audio])
    let report = try run.marks.report
    #expect(try report.unreadable == 0 && #require(report.greatestOffset) <= 5, "\(report)")
  }

  @Test(arguments: [([], 0o640), (["--record-mode", "600"], 0o600)])
  func `a recording is closed to others, and by an option to its group`(
    options: [String], permissions: Int
  ) throws {
    let run = try FinishedBroadcast(
      options + ["--duration", "1s", "--size", "320x180", "--audio", "off"], in: folder)
    let attributes = try FileManager.default.attributesOfItem(atPath: run.path)
    // The umask may take the group's away.
    #expect(try #require(attributes[.posixPermissions] as? Int) & ~0o040 == permissions & ~0o040)
    #expect(permissions & 0o040 != 0 || attributes[.posixPermissions] as? Int == permissions)
  }

  @Test func `pictures at 29.97 a second have exact times`() throws {
    let run = try FinishedBroadcast(
      ["--audio", "off", "--duration", "3s", "--size", "320x180", "--fps", "29.97"], in: folder)
    for (number, time) in try run.marks.pictureTimes.enumerated() {
      let frame = (time * 30_000 / 1001).rounded()
      #expect(abs(time - frame * 1001 / 30_000) < 0.000_02 && Int(frame) >= number)
    }
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal ends the broadcast cleanly`(signal: Int32) throws {
    let subject = try HoldfastSubject(in: folder).whenLive()
    subject.signal(signal)
    subject.waitForEnd()
    #expect(subject.status == 0 && subject.values("reason", of: "ended").first == "stopped", "\(subject.log)")
    #expect(subject.log.split(separator: "\n").last?.contains("Z recorded ") == true)
    #expect(try Tool.probe(try #require(folder.recordings.first)).count == 2)
  }

  @Test func `a recording can be played after a kill`() throws {
    try HoldfastSubject(in: folder).whenLive().kill()
    let report = try RecordingMarks(path: folder.recording()).report
    #expect(report.pictures >= 1 && report.unreadable == 0, "\(report)")
  }

  @Test func `closing the event pipe does not end the broadcast`() throws {
    let program = HoldfastProcess.program.path
    let script = """
      "$0" publish --video test --audio off --size 320x180 --duration 1s --record "$1" --events - 2>"$2" | head -n 1
      """
    try Tool.run(["sh", "-c", script, program, folder.path, folder.file("errors")])
    let errors = try String(contentsOfFile: folder.file("errors"), encoding: .utf8)
    #expect(errors.contains("recorded 0:00:01.0") && folder.recordings.count == 1, "\(errors)")
  }

  @Test func `events are reported in order`() throws {
    let run = try FinishedBroadcast(
      ["--audio", "off", "--size", "320x180", "--duration", "500ms", "--name", "porch"], in: folder)
    let names = [
      "starting", "device open", "recording open", "live", "ending", "recording finished", "ended",
    ]
    #expect(run.events.names == names)
    #expect(Set(run.events.lines.map { $0["broadcast"] as? String }).count == 1)
    let name = URL(fileURLWithPath: run.path).lastPathComponent
    #expect(name.wholeMatch(of: /porch-\d{8}T\d{6}Z\.mp4/) != nil)
  }
}
