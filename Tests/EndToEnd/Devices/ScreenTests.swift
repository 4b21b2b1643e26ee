import Foundation
import Glibc
import HoldfastMarks
import HoldfastMediaModel
import TestSupport
import TestTraits
import Testing

/// The screen of a real X server as the picture's source.
@Suite(.longRealTime) struct ScreenTests {
  private let folder = ScratchFolder()

  /// Seconds of the test picture; the number of each picture is in it.
  private func clip(seconds: Int) throws -> String {
    let place = ScratchFolder()
    let options = ["--size", "640x360", "--audio", "off", "--duration", "\(seconds)s"]
    let path = folder.file("clip")
    try FileManager.default.copyItem(atPath: FinishedBroadcast(options, in: place).path, toPath: path)
    return path
  }

  private func subject(_ options: [String], _ environment: [String: String] = [:]) throws -> HoldfastSubject {
    try HoldfastSubject(
      environment: environment, options: options + (options.contains("--size") ? [] : ["--size", "640x360"]),
      in: folder
    ).whenLive()
  }

  /// Waits until the newest picture of the recording has a number.
  private func showsMarks(_ subject: HoldfastSubject) -> Bool {
    func last() -> FrameMark? {
      subject.recording.flatMap { try? RecordingMarks(path: $0) }?.pictures.last?.mark
    }
    return eventually(every: 200_000) { last() != nil }
  }

  @Test func `what the screen shows is in the recording, in its order and at its times`() throws {
    let server = try TestXServer(in: folder, size: "1280x720")
    let window = try server.play(clip(seconds: 3), size: "640x360", slowedDown: 4)
    let subject = try subject(
      ["--video", "screen:\(server.display)+0,0,640x360", "--audio", "off"], server.environment)
    #expect(showsMarks(subject) && subject.play(4), "\(subject.log) \(window.lines)")
    subject.finish()
    let all = try RecordingMarks(path: try #require(subject.recording)).pictures
    // The player needs a moment to find its pace, and may hold its last picture.
    let start = try #require(all.first { $0.mark != nil }).time.seconds + 1.5
    let last = all.last?.mark?.number
    let pictures = all.filter { $0.time.seconds > start && $0.mark?.number != last }
    let marks = pictures.compactMap(\.mark?.number)
    #expect(marks.count == pictures.count && marks.count > 40, "\(marks.count) of \(pictures.count)")
    // Each number stays for four pictures, so none is missed.
    let longest = 1 + UInt32(subject.uncapturedPictures / 4)
    #expect(zip(marks, marks.dropFirst()).allSatisfy { $0 <= $1 && $1 <= $0 + longest }, "\(marks)")
    let seconds = try #require(pictures.last).time.seconds - (try #require(pictures.first)).time.seconds
    let shown = Double(try #require(marks.last) - (try #require(marks.first))) / 30 * 4
    // A busy machine shows each for longer.
    #expect(seconds > shown - 0.4, "\(seconds) s recorded of \(shown) s")
    let steps = zip(pictures, pictures.dropFirst()).map { ($1.time - $0.time).seconds }
    #expect(steps.max() ?? 0 < 0.2 + subject.lines.picturesTooLate(of: "recording") / 30)
  }

  @Test func `the pointer is captured`() throws {
    let server = try TestXServer(in: folder, size: "64x64")
    // Xvfb's pointer is in the middle of its black screen.
    let subject = try subject(["--video", "screen", "--audio", "off"], server.environment)
    #expect(subject.play(0.5))
    subject.finish()
    let signal = try RecordedSignal(path: try #require(subject.recording))
    #expect(signal.pictures.count > 5 && signal.pictures.allSatisfy { $0.luma.upperBound > 60 })
    #expect(signal.pictures.allSatisfy { $0.edges.upperBound < 40 })
  }

  @Test func `the screen returns with the X server, in another size and the same recording`() throws {
    let file = try clip(seconds: 3)
    let first = try TestXServer(in: folder, size: "640x360")
    var window = try first.play(file, size: "640x360", slowedDown: 8)
    let subject = try subject(["--video", "screen:\(first.display)"])
    #expect(showsMarks(subject), "\(subject.log) \(window.lines)")
    first.kill()
    #expect(subject.reports("device", "lost") && subject.play(1.5), "\(subject.log)")
    let second = try first.restarted(size: "960x540")
    window = try second.play(file, size: "960x540", slowedDown: 8)
    #expect(subject.reports("device", "back"), "\(subject.log)")
    #expect(showsMarks(subject), "\(subject.log) \(window.lines)")
    subject.finish()
    #expect(folder.recordings.count == 1 && subject.events("interrupted").isEmpty)
    let gaps = subject.events("gap").filter { $0["cause"] as? String == "device" }
    #expect(gaps.count == 1 && gaps.first.flatMap { lostMs($0, "video") } ?? 0 >= 1500, "\(gaps)")
    let signal = try RecordedSignal(path: try #require(subject.recording))
    let longest = 0.6 + subject.lines.picturesTooLate(of: "recording") / 30
    #expect(signal.isRising && signal.longestStep < longest, "\(signal.longestStep)")
  }

  @Test func `a frozen X server is noticed within a second, and does not hold up the end`() throws {
    let server = try TestXServer(in: folder, size: "320x240")
    let subject = try subject(["--video", "screen:\(server.display)"])
    #expect(subject.play(1))
    server.freeze()
    #expect(subject.reports("device", "lost") && subject.play(1.5), "\(subject.log)")
    server.thaw()
    #expect(subject.reports("device", "back") && subject.play(1), "\(subject.log)")
    server.freeze()
    #expect(subject.reports("device", "lost", times: 2), "\(subject.log)")
    subject.finish()
    #expect(subject.status == 0 && folder.recordings.count == 1)
    let losses = subject.events("device").filter { $0["state"] as? String == "lost" }
    #expect(losses.first { $0["cause"] != nil }?["cause"] as? String == "no picture for 1 s")
    let step = try RecordingMarks(path: try #require(subject.recording)).steps.max() ?? 0
    #expect(step < 1.6 + subject.lines.picturesTooLate(of: "recording") / 30)
  }

  @Test func `the camera makes way for the screen and comes back, in one track`() throws {
    let server = try TestXServer(in: folder, size: "320x240")
    let camera = try TestDevice.Camera(in: folder)
    let subject = try subject(
      ["--video", "camera:\(camera.path)", "--size", "320x240"],
      server.environment.merging(camera.environment) { $1 })
    #expect(subject.play(1))
    for (word, source) in [("on", "screen"), ("on", "screen"), ("off", "camera:\(camera.path)")] {
      let result = try subject.ctl("screen", word)
      #expect(result.status == 0 && result.output.contains(source), "\(word): \(result.errors)")
      #expect(subject.play(1.2))
    }
    server.kill()
    let refused = try subject.ctl("screen", "on")
    #expect(refused.status == 69 && refused.errors.contains("no X server has this display"))
    #expect(subject.play(0.5))
    subject.finish()
    #expect(subject.values("source", of: "source") == ["screen", "camera:\(camera.path)"])
    #expect(folder.recordings.count == 1 && !subject.values("cause", of: "gap").contains("device"))
    let signal = try RecordedSignal(path: try #require(subject.recording))
    let dark = try #require(signal.longestRun { $0.edges.upperBound < 40 })
    #expect(dark.upperBound - dark.lowerBound > 2 && dark.lowerBound > 0.5)
    #expect(signal.pictures.contains { $0.time > dark.upperBound && $0.edges.upperBound > 60 })
    #expect(signal.isRising && signal.longestStep < 0.2 + subject.lines.picturesTooLate(of: "recording") / 30)
  }

  @Test func `a cookie opens a server that refuses strangers`() throws {
    let cookie: [UInt8] = (0..<16).map { $0 * 7 }
    let file = folder.file("authority")
    let place = try TestXServer(in: folder, size: "64x64")
    try Data(xAuthority(display: place.number, cookie: cookie)).write(to: URL(fileURLWithPath: file))
    let server = try place.restarted(size: "64x64", authority: file)
    func run(_ authority: String) throws -> HoldfastProcess.Result {
      let environment = server.environment.merging(["XAUTHORITY": authority]) { $1 }
      return try folder.publish("screen", ["--duration", "300ms"], environment: environment)
    }
    let opened = try run(file)
    #expect(opened.status == 0, "\(opened.errors)")
    let refused = try run(folder.file("none"))
    #expect(refused.status == 66 && refused.errors.split(separator: "\n").count <= 2, "\(refused.errors)")
    let reasons = ["the X server refuses the connection", "set XAUTHORITY"]
    #expect(reasons.allSatisfy { refused.errors.contains($0) }, "\(refused.errors)")
  }

  @Test(
    arguments: [
      ("screen::59000", [:], "no X server has this display"), ("screen", [:], "DISPLAY is not set"),
      ("screen", ["WAYLAND_DISPLAY": "wayland-0"], "this is a Wayland session"),
      ("screen", ["DISPLAY": "nonsense"], "DISPLAY is nonsense"),
    ] as [(String, [String: String], String)])
  func `a screen that is not there is named, and ends the start`(
    source: String, environment: [String: String], text: String
  ) throws {
    let missing = ["DISPLAY": "", "WAYLAND_DISPLAY": ""].merging(environment) { $1 }
    let result = try folder.publish(source, environment: missing)
    #expect(result.status == 66 && result.errors.contains(text), "\(result.errors)")
  }

  @Test(
    arguments: [
      ("+320,0,10x10", 24, "which is 320x240"), (".1", 24, "has no screen 1"), ("", 16, "16 bits of colour"),
    ])
  func `what can't be captured of a display is named`(rest: String, depth: Int, text: String) throws {
    let server = try TestXServer(in: folder, size: "320x240", depth: depth)
    let result = try folder.publish("screen:\(server.display)\(rest)")
    #expect(result.status == 66 && result.errors.contains(text), "\(result.errors)")
  }

  @Test func `the screen of DISPLAY is listed`() throws {
    let server = try TestXServer(in: folder, size: "320x240")
    let listed = try HoldfastProcess.run(["devices", "--json"], environment: server.environment)
    #expect(listed.output.contains(#""screens":[{"display":"\#(server.display)","size":"320x240"}]"#))
  }
}
