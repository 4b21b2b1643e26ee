import Foundation
import HoldfastMarks
import TestSupport
import TestTraits
import Testing

@Suite(.realTime) struct FileSourceTests {
  private let folder = ScratchFolder()
  /// Two seconds of the test picture and tone.
  private let original: String
  /// A busy machine may not make all 60 of its pictures.
  private let originalMarks: RecordingMarks

  init() throws {
    original = folder.file("original.m4v")
    let made = try FinishedBroadcast(["--size", "320x180", "--duration", "2s", "--gop", "500ms"], in: folder)
    try FileManager.default.moveItem(atPath: made.path, toPath: original)
    originalMarks = try RecordingMarks(path: original)
  }

  private var pictures: Int { originalMarks.report.pictures }

  /// The original converted by ffmpeg.
  private func converted(_ options: String, before: String = "") throws -> String {
    try Tool.ffmpeg("\(before) -i \(original) \(options)", to: folder.file("converted.mkv"))
  }

  private func publish(_ path: String, audio: Bool = true, _ options: String...) throws -> FinishedBroadcast {
    let source = "file:\(path)"
    return try FinishedBroadcast(
      ["--video", source, "--audio", audio ? source : "off"] + options, in: folder)
  }

  @Test(arguments: ["x264", "copy"])
  func `a file is broadcast in real time, whole and in step`(encoder: String) throws {
    let run = try publish(original, "--encoder", encoder)
    #expect(run.events.named("ended").first?["reason"] as? String == "sourceEnded")
    let marks = try run.marks
    #expect(abs(Double(marks.report.pictures) + run.events.lostPictures() - Double(pictures)) <= 1)
    #expect(try marks.report.repeated == 0 && #require(marks.report.greatestOffset) <= 5, "\(marks.summary)")
  }

  @Test func `a file with reordered pictures is copied whole, in step with its sound`() throws {
    let source = try converted("-c:v libx264 -bf 3 -g 250 -b:v 500k -c:a copy")
    let marks = try publish(source, "--encoder", "copy").marks
    #expect(abs(marks.report.pictures - pictures) <= 1)
    #expect(marks.missingPictures <= originalMarks.missingPictures)
    #expect(try #require(marks.report.greatestOffset) <= 5)
  }

  @Test(arguments: ["x264", "copy"])
  func `pictures with equal times affect only themselves`(encoder: String) throws {
    let source = try converted("-an -c copy -bsf:v setts=ts='if(eq(N,20),PREV_OUTPTS,TS)'")
    let run = try publish(source, audio: false, "--encoder", encoder)
    #expect(run.events.named("gap").count >= 1)
    #expect(try run.marks.report.pictures >= 40)
  }

  @Test func `the longer track of a file continues after the shorter one has ended`() throws {
    let sound = "-f lavfi -i sine=sample_rate=48000 -map 0:v -map 1:a -t 4 -c:v copy -c:a aac"
    let source = try converted(sound, before: "-t 1")
    #expect(abs(try publish(source, "--size", "320x180").marks.audioSeconds - 4) < 0.1)
  }

  @Test func `a looped file repeats until the time limit`() throws {
    let run = try publish(original, "--loop", "--duration", "5s")
    let marks = try run.marks
    let expected = 2.5 * Double(pictures)
    let slack = 2 + Double(originalMarks.missingPictures)
    #expect(abs(Double(marks.report.pictures) + run.events.lostPictures() - expected) <= slack)
    #expect(marks.report.goingBack == 2)
    #expect(abs(marks.audioSeconds - 5) <= 1024.0 / 48_000)
  }
}
