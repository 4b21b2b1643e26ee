import Foundation
import HoldfastMarks
import HoldfastMediaServer
import HoldfastTesting
import TestSupport
import TestTraits
import Testing

/// Broadcasts whose picture and sound come from the network.
@Suite(.longRealTime) struct NetworkSourceTests {
  private let folder = ScratchFolder()
  private let far = ScratchFolder()

  private func subject(_ address: String, _ options: [String] = []) throws -> HoldfastSubject {
    try HoldfastSubject(options: ["--video", address, "--audio", address] + options, in: folder)
  }

  /// Milliseconds of a track told as lost by its source.
  private func told(_ subject: HoldfastSubject, _ track: String) -> Double {
    subject.lines.lost(track) { $0["cause"] as? String == "source" }.reduce(0, +)
  }

  /// Expects that the one recording lacks what it says, and nothing else, and that its sound fits.
  private func check(_ subject: HoldfastSubject) throws {
    #expect(folder.recordings.count == 1)
    let marks = try RecordingMarks(path: try #require(subject.recording, "\(subject.log)"))
    let toldPictures = told(subject, "video") * 30 / 1000
    // After an outage the pictures of the far end may be underway for longer than before it, or less long.
    let delays = Double(9 * subject.values("state", of: "device").count { $0 == "back" } / 2)
    #expect(
      abs(Double(marks.missingPictures) - toldPictures) <= delays + Double(subject.events("gap").count) + 1,
      "\(marks.summary), told \(toldPictures)\n\(subject.log)")
    let offset = try #require(marks.report.greatestOffset, "\(marks.summary)\n\(subject.log)")
    #expect(
      offset < 20 && marks.report.repeated + marks.report.goingBack == 0, "\(marks.summary)\n\(subject.log)")
    let complaint = try folder.complaint()
    #expect(complaint == nil, "\(subject.log)")
  }

  @Test func `an RTSP camera that is frozen, killed and back is one recording, and what it lacks is told`()
    throws
  {
    let camera = try RTSPCamera(in: far)
    let source = try HoldfastSubject.farEnd(to: camera.intakeURL, in: far).whenLive()
    let subject = try subject(camera.url()).whenLive()
    #expect(subject.reports("device", "open", times: 2) && subject.play(2), "\(subject.log)")
    camera.freeze()
    #expect(subject.reports("device", "lost", times: 2), "\(subject.log)")
    camera.thaw()
    #expect(subject.reports("device", "back", times: 2) && subject.play(2), "\(subject.log)")
    camera.kill()
    #expect(subject.reports("device", "lost", times: 4), "\(subject.log)")
    try camera.start()
    #expect(subject.reports("device", "back", times: 4) && subject.play(3), "\(subject.log)")
    subject.finish()
    source.kill()
    #expect(subject.events("interrupted").isEmpty)
    #expect(told(subject, "video") > 1500 && told(subject, "audio") > 1500)
    try check(subject)
  }

  @Test func `RTMP is played, and played again when its server is back`() throws {
    let server = try NginxRTMP(in: far)
    let source = try HoldfastSubject.farEnd(to: server.url("append", "far"), in: far).whenLive()
    #expect(source.reports("output", "publishing"))
    let subject = try subject(server.url("append", "far")).whenLive()
    #expect(subject.reports("device", "open", times: 2) && subject.play(2), "\(subject.log)")
    server.kill()
    #expect(subject.reports("device", "lost", times: 2), "\(subject.log)")
    try server.start()
    #expect(subject.reports("device", "back", times: 2) && subject.play(3), "\(subject.log)")
    subject.finish()
    source.kill()
    try check(subject)
  }

  @Test func `an SRT listener takes one caller after the other`() throws {
    let port = try LoopbackPort()
    let subject = try subject("srt://127.0.0.1:\(port.number)?mode=listener")
    // Nobody has called: on air with a slate and silence.
    #expect(try subject.whenLive().play(1))
    for caller in 1...2 {
      let source = try HoldfastSubject.farEnd(to: "srt://127.0.0.1:\(port.number)", in: far)
      #expect(subject.reports("device", "back", times: 2 * caller) && subject.play(2), "\(subject.log)")
      source.kill()
      #expect(subject.reports("device", "lost", times: 2 + 2 * caller), "\(subject.log)")
    }
    subject.finish()
    #expect(subject.events("interrupted").isEmpty && folder.recordings.count == 1)
    #expect(told(subject, "video") > 1000)
  }

  /// ffmpeg serves a recording of the test picture in real time.
  private func served(
    _ arguments: [String], from path: String, until isReady: @escaping @Sendable () -> Bool
  ) throws -> PeerProcess {
    let log = folder.file("server-\(UUID().uuidString)")
    return try PeerProcess(
      ["ffmpeg", "-v", "error", "-re", "-stream_loop", "-1", "-i", path] + arguments, output: log,
      errors: log + "-errors"
    ) { _ in isReady() }
  }

  private func recordedSignal(in folder: ScratchFolder, seconds: Int) throws -> String {
    try FinishedBroadcast.whole(
      ["--duration", "\(seconds)s", "--size", "320x180", "--gop", "500ms", "--name", "signal"], in: folder)
  }

  @Test func `a live playlist and its segments are played without a break`() throws {
    let path = try recordedSignal(in: far, seconds: 20)
    let playlist = far.file("live.m3u8")
    let segments = try served(
      ["-c", "copy", "-f", "hls", "-hls_time", "1", "-hls_list_size", "6", playlist], from: path
    ) { ((try? String(contentsOfFile: playlist, encoding: .utf8)) ?? "").contains("live3.ts") }
    defer { segments.stop() }
    let server = try FileServer(of: far)
    defer { server.kill() }
    let subject = try subject(server.url("live.m3u8")).whenLive()
    #expect(subject.play(5))
    subject.finish()
    #expect(told(subject, "video") == 0, "\(subject.log)")
    try check(subject)
  }

  @Test func `motion JPEG over HTTP is played by its arrival`() throws {
    let port = try LoopbackPort()
    let path = try recordedSignal(in: far, seconds: 12)
    let server = try served(
      [
        "-an", "-c:v", "mjpeg", "-q:v", "3", "-f", "mpjpeg", "-listen", "1", "-content_type",
        "multipart/x-mixed-replace;boundary=ffmpeg", "http://127.0.0.1:\(port.number)/cam",
      ], from: path
    ) { true }
    defer { server.stop() }
    let subject = try HoldfastSubject(
      options: ["--video", "http://127.0.0.1:\(port.number)/cam", "--audio", "off"], in: folder
    ).whenLive()
    let isOpen = eventually {
      !Set(["open", "back"]).isDisjoint(with: subject.values("state", of: "device"))
    }
    #expect(isOpen && subject.play(4), "\(subject.log)")
    subject.finish()
    let marks = try RecordingMarks(path: try #require(subject.recording, "\(subject.log)"))
    let pictures = Double(marks.report.pictures) + subject.lines.lostPictures()
    #expect(pictures > 60 && marks.report.repeated + marks.report.goingBack == 0, "\(marks.summary)")
  }

  @Test func `a source that can't be reached is waited for with a slate, and is no interruption`() throws {
    let port = try LoopbackPort()
    let subject = try subject("rtsp://operator:hunter2@127.0.0.1:\(port.number)/stage").whenLive()
    #expect(subject.play(1))
    subject.finish()
    #expect(subject.values("reason", of: "ended") == ["stopped"])
    #expect(told(subject, "video") > 900 && told(subject, "audio") > 900)
    #expect(!subject.log.contains("hunter2") && !subject.log.contains("stage"))
    let lines = try String(contentsOfFile: folder.file("events"), encoding: .utf8)
    #expect(!lines.contains("hunter2"))
  }

  @Test func `a camera that refuses the password ends the start`() throws {
    let camera = try RTSPCamera(in: far, hasCredentials: true)
    let source = try HoldfastSubject.farEnd(to: camera.intakeURL, in: far).whenLive()
    let result = try folder.publish(camera.url("\(RTSPCamera.user):wrong@"))
    #expect(result.status == 77, "\(result.errors)")
    #expect(result.errors.contains("refuses the user and password") && !result.errors.contains("wrong@"))
    let right = try subject(camera.url("\(RTSPCamera.user):\(RTSPCamera.password)@")).whenLive()
    #expect(right.reports("device", "open", times: 2), "\(right.log)")
    right.kill()
    source.kill()
  }

  @Test func `a relay copies picture and sound, makes nothing up, and names what it lacks`() throws {
    let camera = try RTSPCamera(in: far)
    let source = try HoldfastSubject.farEnd(to: camera.intakeURL, in: far).whenLive()
    let server = try LocalServer(directory: far.path)
    let subject = try HoldfastSubject(
      to: [server.url("relayed")],
      options: ["--video", camera.url(), "--audio", camera.url(), "--encoder", "copy"], in: folder
    ).whenLive()
    #expect(subject.reports("output", "publishing") && subject.play(2), "\(subject.log)")
    camera.kill()
    #expect(subject.reports("device", "lost", times: 2), "\(subject.log)")
    try camera.start()
    #expect(subject.reports("device", "back", times: 2) && subject.play(3), "\(subject.log)")
    subject.finish()
    source.kill()
    server.stop()
    #expect(subject.events("interrupted").isEmpty)
    #expect(told(subject, "video") > 500 && told(subject, "audio") > 500)
    // No slate: every picture is one of the camera's.
    let marks = try RecordingMarks(path: try #require(subject.recording, "\(subject.log)"))
    #expect(marks.report.unreadable == 0, "\(marks.summary)")
    try check(subject)
  }

  @Test func `an own output is refused as a source`() throws {
    let server = try LocalServer()
    let address = server.url("loop")
    let source = address.replacingOccurrences(of: "127.0.0.1", with: "localhost")
    let result = try folder.publish(source, ["--to", address])
    #expect(result.status == 66)
    #expect(result.errors.contains("the broadcast's own output rtmp-1"), "\(result.errors)")
  }

  @Test func `what is no media ends the start`() throws {
    _ = try folder.write("<html>no stream here</html>", to: "index.html")
    let server = try FileServer(of: folder)
    defer { server.kill() }
    let result = try folder.publish(server.url())
    #expect(result.status == 66 && result.errors.contains("can't be used"), "\(result.errors)")
  }

  @Test func `a playlist can't name files of this machine`() throws {
    let secret = try recordedSignal(in: folder, seconds: 2)
    _ = try folder.write(
      "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nfile://\(secret)\n#EXT-X-ENDLIST\n", to: "list.m3u8")
    let server = try FileServer(of: folder)
    defer { server.kill() }
    let result = try far.publish(server.url("list.m3u8"), ["--duration", "2s", "--events", "-"])
    #expect(!result.output.contains("\"state\":\"open\",\"cause\":null"), "\(result.output)")
  }
}
