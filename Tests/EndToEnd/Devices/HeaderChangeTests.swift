import Foundation
import HoldfastMediaServer
import HoldfastTesting
import TestSupport
import TestTraits
import Testing

/// Copied network sources that change their format or headers while they are on air.
@Suite(.realTime) struct HeaderChangeTests {
  private let folder = ScratchFolder()
  private let far = ScratchFolder()

  /// The far end: the test picture in `size`, published to `address`.
  private func farEnd(_ size: String, to address: String) throws -> HoldfastSubject {
    try .farEnd(to: address, ["--size", size, "--publish-type", "live"], in: far).whenLive()
  }

  private func relay(_ source: String, to outputs: [String] = []) throws -> HoldfastSubject {
    try HoldfastSubject(
      to: outputs, options: ["--video", source, "--audio", source, "--encoder", "copy"], in: folder
    ).whenLive()
  }

  /// Width and height of each picture of a file, without repetitions.
  private func sizes(_ path: String) throws -> [String] {
    try Tool.probe(path, "frame=width,height", of: "v").map { $0.joined(separator: ",") }
      .reduce(into: []) { if $0.last != $1, !$1.isEmpty { $0.append($1) } }
  }

  /// Expects a whole file for each size. The relay can't know which pictures a far end left out on a busy machine.
  private func check(_ subject: HoldfastSubject, _ farEnds: HoldfastSubject...) throws {
    #expect(try folder.recordings.map(sizes) == [["320,180"], ["640,360"]], "\(subject.log)")
    let isWhole = farEnds.allSatisfy { $0.events("gap").isEmpty }
    let complaint = try folder.complaint(isWhole ? [] : ["--marks", "off"])
    #expect(complaint == nil, "\(subject.log)")
  }

  @Test func `a camera that changes its size begins the next file, and outputs follow`() throws {
    let camera = try RTSPCamera(in: far)
    let first = try farEnd("320x180", to: camera.intakeURL)
    let server = try LocalServer(directory: far.path)
    let listener = try SRTListener(in: far)
    let subject = try relay(camera.url(), to: [server.url("relayed"), listener.url()])
    #expect(subject.reports("output", "publishing", times: 2) && subject.play(2), "\(subject.log)")
    first.kill()
    let second = try farEnd("640x360", to: camera.intakeURL)
    #expect(subject.reports("track") && subject.reports("output", "publishing", times: 3), "\(subject.log)")
    #expect(subject.play(2))
    let status = try subject.controlStatus()
    let video = (status["tracks"] as? [String: Any])?["video"] as? [String: Any]
    #expect(video?["width"] as? Int == 640 && video?["height"] as? Int == 360, "\(status)")
    subject.finish()
    second.kill()
    server.stop()
    #expect(subject.events("interrupted").isEmpty)
    let track = try #require(subject.events("track").first)
    #expect(track["width"] as? Int == 640 && track["codec"] as? String == "h264")
    #expect(subject.values("cause", of: "output").contains("headersChanged"))
    try check(subject, first, second)
    #expect(try sizes(listener.finishedRecording()) == ["320,180", "640,360"])
  }

  @Test func `an RTMP source whose next publisher has another size is followed within its connection`() throws
  {
    let server = try NginxRTMP(in: far)
    let first = try farEnd("320x180", to: server.url("append", "far"))
    #expect(first.reports("output", "publishing"))
    let subject = try relay(server.url("append", "far"))
    #expect(subject.play(2))
    first.kill()
    let second = try farEnd("640x360", to: server.url("append", "far"))
    #expect(subject.reports("track") && subject.play(2), "\(subject.log)")
    subject.finish()
    second.kill()
    try check(subject, first, second)
  }
}
