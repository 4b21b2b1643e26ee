import Foundation
import TestSupport
import TestTraits
import Testing

@Suite(.realTime) struct OtherPeerTests {
  private let folder = ScratchFolder()

  @Test func `the RTSP server records both tracks`() throws {
    let server = try RTSPRecorder(in: folder)
    #expect(try Publisher("rtsp", to: server.url("porch"), seconds: 2).end() == 0)
    #expect(server.waitFor("closed /porch") && server.events().contains("RECORD /porch"))
    let path = try #require(server.recordings("porch").first)
    #expect(try ServerMedia(path: path).hasBothTracksFromTheStart)
  }

  @Test(arguments: [RTSPRecorder.Credentials.basic, .digest])
  func `the RTSP server can require credentials`(credentials: RTSPRecorder.Credentials) throws {
    let server = try RTSPRecorder(in: folder, credentials: credentials)
    #expect(try Publisher("rtsp", to: server.url("porch"), seconds: 1).end() != 0)
    let account = "\(RTSPRecorder.user):\(RTSPRecorder.password)@"
    let known = server.url("porch").replacingOccurrences(of: "rtsp://", with: "rtsp://" + account)
    #expect(try Publisher("rtsp", to: known, seconds: 1).end() == 0)
  }

  @Test func `the SRT listener writes one caller after another`() throws {
    let server = try SRTListener(in: folder)
    var size = 0
    for _ in 1...2 {
      #expect(try Publisher("mpegts", to: server.url(), seconds: 1).end() == 0)
      #expect(fileSize(server.recording) > size + 10_000)
      size = fileSize(server.recording)
    }
    #expect(try ServerMedia(path: server.recording).hasBothTracksFromTheStart)
  }

  @Test func `a test controls the resolution of names`() throws {
    let names = try FakeNames(in: folder)
    let ask = ["sh", "-c", "getent ahostsv4 studio.test | head -n 1 | cut -d ' ' -f 1"]
    #expect(try Tool.run(ask, environment: names.environment) == "")
    try names.set(["studio.test": "127.0.0.7"])
    #expect(try Tool.run(ask, environment: names.environment) == "127.0.0.7\n")
    #expect(names.asked == ["studio.test", "studio.test"])
  }

  @Test func `reserved ports are distinct`() throws {
    let ports = try (0..<50).map { _ in try LoopbackPort() }
    #expect(Set(ports.map(\.number)).count == 50)
  }

  @Test func `a peer ends with its owner`() throws {
    var server: NginxRTMP? = try NginxRTMP(in: folder)
    let port = try #require(server?.port)
    #expect(LoopbackPort.answers(port))
    server = nil
    #expect(!LoopbackPort.answers(port))
  }
}
