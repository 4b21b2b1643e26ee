import Foundation
import HoldfastMarks
import HoldfastMediaServer
import HoldfastTesting
import TestSupport
import TestTraits
import Testing

/// Broadcasts composed of several sources.
@Suite(.realTime) struct ProgrammeTests {
  private let folder = ScratchFolder()
  private let far = ScratchFolder()

  private func subject(_ tiles: [String], _ options: [String] = []) throws -> HoldfastSubject {
    try HoldfastSubject(
      options: ["--video", "grid", "--audio", "grid"] + tiles.flatMap { ["--tile", $0] } + options, in: folder
    ).whenLive()
  }

  @Test func `picture and sound of a network source stay together on their way through the mixer`() throws {
    let server = try NginxRTMP(in: far)
    let source = try HoldfastSubject.farEnd(to: server.url("append", "far"), in: far).whenLive()
    #expect(source.reports("output", "publishing"))
    let subject = try subject(["Hall=\(server.url("append", "far"))"])
    #expect(subject.play(6))
    subject.finish()
    source.kill()
    let marks = try RecordingMarks(path: try #require(subject.recording, "\(subject.log)"))
    // A picture that has just missed one composition is in the next.
    let offset = try #require(marks.report.greatestOffset, "\(marks.summary)")
    #expect(offset < 55 && marks.report.goingBack == 0 && marks.report.unreadable == 0, "\(marks.summary)")
  }

  @Test func `a tile that is away interrupts nothing, and its absence is told under its name`() throws {
    let server = try NginxRTMP(in: far)
    let source = try HoldfastSubject.farEnd(to: server.url("append", "far"), in: far).whenLive()
    #expect(source.reports("output", "publishing"))
    let subject = try subject(["Hall=\(server.url("append", "far"))", "Here=test"])
    #expect(subject.play(2))
    source.kill()
    #expect(subject.reports("tile", "lost") && subject.play(2), "\(subject.log)")
    let again = try HoldfastSubject.farEnd(to: server.url("append", "far"), in: far).whenLive()
    #expect(subject.reports("tile", "back") && subject.play(2), "\(subject.log)")
    subject.finish()
    again.kill()
    #expect(subject.status == 0 && folder.recordings.count == 1 && subject.events("interrupted").isEmpty)
    #expect(subject.events("device").allSatisfy { $0["state"] as? String == "open" })
    let gaps = subject.events("gap").filter { $0["member"] as? String == "Hall" }
    let lost = gaps.compactMap { lostMs($0, "video") }.reduce(0, +)
    #expect(lost > 1800 && gaps.allSatisfy { $0["cause"] as? String == "source" }, "\(gaps)")
    #expect(try folder.complaint() == nil)
    let export = try HoldfastProcess.run(
      ["export", "--member", "Hall", try #require(subject.recording)],
      environment: ["XDG_STATE_HOME": folder.file("state")])
    #expect(export.status == 0 && export.output.contains("Hall was away"), "\(export.output)\(export.errors)")
  }

  @Test func `the layout, the spotlight and the mute of a tile change on air`() throws {
    let subject = try subject(["Große Halle=test", "B=test", "Talk=tone"], ["--transition", "200ms"])
    for words in [
      ["layout", "side-by-side"], ["spotlight", "B"], ["mute-tile", "Große Halle"], ["mute-tile", "Talk"],
      ["mute-tile", "B"], ["layout", "grid"],
    ] {
      let result = try subject.ctl(words)
      #expect(result.status == 0, "\(words): \(result.errors)")
    }
    #expect(subject.play(1))
    for (words, hint) in [
      (["layout", "gird"], "use one of grid"), (["spotlight", "C"], "choose one of Große Halle, B, Talk"),
      (["spotlight", "Talk"], "has no picture"), (["mute-tile", "C"], "there is no tile C"),
    ] {
      let result = try subject.ctl(words)
      #expect(result.status != 0 && result.errors.contains(hint), "\(words): \(result.errors)")
    }
    #expect(subject.play(1))
    subject.finish()
    #expect(subject.values("layout", of: "layout") == ["side-by-side", "spotlight", "grid"])
    #expect(subject.values("tile", of: "tileMute") == ["Große Halle", "Talk", "B"])
    #expect(subject.events("gap").isEmpty, "\(subject.log)")
    #expect(try RecordingMarks(path: try #require(subject.recording)).audioSeconds > 2)
  }

  @Test func `a file without sound, one of another rate and a silent address are tiles like any other`()
    throws
  {
    let port = try LoopbackPort()
    let picture = "-f lavfi -i testsrc2=size=322x242:rate=7 -t 2 -pix_fmt yuv444p -c:v libx264"
    let path = try Tool.ffmpeg(picture, to: far.file("plain.mp4"))
    let tone = "-f lavfi -i sine=frequency=300:sample_rate=22050 -t 3"
    let sound = try Tool.ffmpeg(tone, to: far.file("sound.wav"))
    let subject = try subject([
      "Plain=file:\(path)", "Sound=file:\(sound)", "Nobody=rtmp://127.0.0.1:\(port.number)/live/x",
      "Talk=tone",
    ])
    #expect(subject.play(4))
    subject.finish()
    #expect(subject.status == 0 && subject.events("interrupted").isEmpty)
    let members = Set(subject.values("member", of: "gap"))
    #expect(members.contains("Nobody") && !members.contains("Plain"), "\(subject.log)")
    #expect(try folder.complaint() == nil)
  }
}
