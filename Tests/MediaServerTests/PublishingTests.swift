import Foundation
import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastMediaServer
import HoldfastRTMP
import HoldfastTesting
import TestSupport
import TestTraits
import Testing

/// What publishers get, and what is written to files.
@Suite(.realTime) struct PublishingTests {
  private let folder = ScratchFolder()
  private let server: LocalServer

  init() throws {
    let folder = folder
    server = try LocalServer { $0.directory = folder.path }
  }

  private func waitForEnd(_ name: String, times: Int = 1) throws -> StreamReport {
    try #require(server.waitForEnd(of: name, times: times))
  }

  @discardableResult
  private func publish(_ type: PublishType, times: Int = 1) throws -> StreamReport {
    try TestPublisher.publish(Fixture.h264AndAAC(), to: server.url("cam"), type)
    return try waitForEnd("cam", times: times)
  }

  private func recorded() throws -> PacketTimes { try PacketTimes(path: folder.file("cam.flv")) }

  @Test func `the server reports what ffmpeg publishes`() throws {
    let publisher = try RunningTool.publisher(server.url("cam"), seconds: 2)
    let report = try waitForEnd("cam")
    #expect((publisher.result().status, report.video?.codec, report.video?.packets) == (0, .h264, 50))
    #expect(report.audio?.codec == .aac && (report.audio?.packets ?? 0) > 80)
    #expect(report.type == .live && report.path == nil)
  }

  @Test func `record writes a file that holds every packet`() throws {
    let report = try publish(.record)
    let path = folder.file("cam.flv")
    #expect(report.path == path)
    let streams = try Tool.probe(path, count: true)
    #expect(streams.map { $0["codec_name"] } == ["h264", "aac"])
    #expect(
      streams.map { $0["nb_read_packets"] } == [report.video, report.audio].map { "\($0?.packets ?? 0)" })
    #expect(report.video?.packets == 50)
  }

  @Test func `record replaces an existing file`() throws {
    for number in 1...2 { try publish(.record, times: number) }
    #expect(try recorded().tracks[.video]?.packets == 50)
  }

  @Test func `append continues a file that stays decodable and never goes back in time`() throws {
    for number in 1...3 { try publish(.append, times: number) }
    let times = try recorded()
    #expect(times.tracks.count == 2 && times.stepsBack == [])
    let video = try #require(times.tracks[.video])
    #expect(video.packets == 150 && (5.8...6.2).contains(video.last))
    let result = try RunningTool([
      "ffmpeg", "-v", "warning", "-nostdin", "-xerror", "-i", folder.file("cam.flv"), "-f", "null", "-",
    ]).result()
    #expect(result.errors == "" && result.status == 0)
  }

  @Test func `append continues a file that record began`() throws {
    try publish(.record)
    try publish(.append, times: 2)
    #expect(try recorded().tracks[.video]?.packets == 100)
  }

  @Test func `live writes no file`() throws {
    try publish(.live)
    #expect(!FileManager.default.fileExists(atPath: folder.file("cam.flv")))
  }

  @Test func `HEVC and Opus are recorded through Enhanced RTMP`() throws {
    try TestPublisher.publish(Fixture.hevcAndOpus(), to: server.url("cam"), .record, codecs: [.hevc, .opus])
    let report = try waitForEnd("cam")
    #expect((report.video?.codec, report.audio?.codec, report.video?.packets) == (.hevc, .opus, 50))
    let head = try FileHandle(forReadingFrom: URL(fileURLWithPath: folder.file("cam.flv"))).read(
      upToCount: 20_000)
    #expect(head?.range(of: Data("hvc1".utf8)) != nil && head?.range(of: Data("Opus".utf8)) != nil)
  }

  @Test func `a named event is reported with its text`() throws {
    let publisher = try TestPublisher.answered(server.url("cam"), .live)
    try publisher.send(event: "onGoal", text: "1:0")
    let event = MediaServer.Event.data(stream: "cam", name: "onGoal", text: "1:0")
    #expect(server.wait { $0 == event } != nil)
  }

  @Test func `a second publisher of a name is refused, and the first one is not disturbed`() throws {
    let first = try RunningTool.publisher(server.url("cam"), seconds: 3)
    #expect(server.waitForReport(of: "cam") { ($0.video?.packets ?? 0) > 0 } != nil)
    #expect(try TestPublisher.answered(server.url("cam"), .record).refusal == .nameTaken)
    #expect(!FileManager.default.fileExists(atPath: folder.file("cam.flv")))
    let report = try waitForEnd("cam")
    #expect((report.video?.packets, first.result().status) == (75, 0))
  }

  @Test func `a killed publisher frees its name at once`() throws {
    let first = try RunningTool.publisher(server.url("cam"), seconds: 60)
    #expect(server.waitForReport(of: "cam") { ($0.video?.packets ?? 0) > 0 } != nil)
    first.signal(SIGKILL)
    _ = first.result()
    let killed = Date()
    #expect(server.wait { if case .ended(_, .disconnected) = $0 { true } else { false } } != nil)
    // One that is silent keeps it for 15 s.
    #expect(Date().timeIntervalSince(killed) < 10)
    #expect(try TestPublisher.answered(server.url("cam"), .live).isAccepted)
  }

  @Test(arguments: [false, true])
  func `a recording is complete when the publisher aborts or the server stops`(isStopped: Bool) throws {
    let publisher = try TestPublisher.answered(server.url("cam"), .record)
    #expect(try server.receivesFile(from: publisher))
    isStopped ? server.stop() : publisher.abort()
    _ = try waitForEnd("cam")
    #expect(try recorded().tracks[.video]?.packets == 50)
  }
}
