import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRTMP
import TestSupport
import TestTraits
import Testing

@testable import HoldfastPublishing

@Suite(.realTime) struct ServerCheckTests {
  private let folder = ScratchFolder()

  /// The results of the steps that were not skipped, and whether a publish would be accepted.
  private func check(
    _ address: String, measuresUpload: Bool = false
  ) throws -> (results: [ServerCheck.Step: ServerCheck.Result], isFine: Bool) {
    var results: [ServerCheck.Step: ServerCheck.Result] = [:]
    let isFine = ServerCheck(
      try OutputAddress(address), tls: TLSSettings(), timeout: .seconds(5), measuresUpload: measuresUpload,
      stop: try Wakeup()
    ).run { if $0.outcome != .skipped { results[$0.step] = $0 } }
    return (results, isFine)
  }

  /// What a server comes to that may refuse, or has another publisher.
  private func isAmbiguous(_ result: ServerCheck.Result?) -> Bool {
    result?.outcome == .failed && result?.detail.hasPrefix("refused, or the name is taken: ") == true
  }

  private static let mediaKinds: Set<RTMPMessage.Kind?> = [.audio, .video, .dataAMF0, .dataAMF3, .aggregate]

  @Test func `a check sends no media, over one connection`() throws {
    let server = try ScriptedRTMPServer()
    let (results, isFine) = try check(server.url)
    #expect(isFine && results[.publish]?.outcome == .passed && results[.upload] == nil)
    #expect(server.messages.contains { $0.kind == .commandAMF0 } && server.connections == 1)
    #expect(!server.messages.contains { Self.mediaKinds.contains($0.kind) })
  }

  @Test func `the upload rate is measured with the media of a publish`() throws {
    let server = try ScriptedRTMPServer()
    let (results, isFine) = try check(server.url, measuresUpload: true)
    #expect(try #require(results[.upload]?.bitsPerSecond) > 1_000_000)
    #expect(isFine && server.connections == 1)
    let media = server.messages.filter { Self.mediaKinds.contains($0.kind) }
    #expect(media.allSatisfy { $0.streamID == 1 } && media.first?.kind == .dataAMF0)
    // The headers, then a keyframe.
    let pictures = media.filter { $0.kind == .video }.prefix(2).map { Array($0.payload.prefix(2)) }
    #expect(pictures == [[0x17, 0], [0x17, 1]] && media.contains { $0.kind == .audio })
    // In real time.
    let last = try #require(media.last)
    #expect(1500...2100 ~= last.timestamp, "\(last.timestamp) ms")
  }

  @Test(arguments: [ScriptedRTMPServer.End.closed(after: .milliseconds(300)), .reset(after: .zero)])
  func `a server that accepts and then disconnects refuses, or has another publisher`(
    end: ScriptedRTMPServer.End
  ) throws {
    for measuresUpload in [false, true] {
      let server = try ScriptedRTMPServer(end)
      let (results, isFine) = try check(server.url, measuresUpload: measuresUpload)
      #expect(!isFine && isAmbiguous(results[.publish]), "\(results)")
      #expect(server.connections == 1 && results[.upload] == nil)
    }
  }

  @Test func `a reset during the measurement fails the check`() throws {
    let server = try ScriptedRTMPServer(.reset(after: .milliseconds(1500)))
    let (results, isFine) = try check(server.url, measuresUpload: true)
    #expect(results[.publish]?.outcome == .passed && results[.upload]?.outcome == .failed && !isFine)
  }

  @Test(arguments: [("SRS/5.0.213(Bee)", true), ("nginx-rtmp", false), (nil, false)])
  func `an RTMP server that is known to drop media is warned about`(name: String?, isKnown: Bool) throws {
    let server = try ScriptedRTMPServer(name: name)
    let (results, isFine) = try check(server.url)
    #expect(isFine && results[.publish]?.warning?.contains("AV1") == (isKnown ? true : nil))
  }

  @Test(arguments: [("lal0.36.0", true), ("GStreamer RTSP server", false)])
  func `an RTSP server that is known to drop media is warned about`(name: String, isKnown: Bool) throws {
    let server = try RTSPReportServer(in: folder, name: name)
    let (results, isFine) = try check(server.url("hall"))
    #expect(isFine && results[.publish]?.warning?.contains("slice") == (isKnown ? true : nil))
  }

  @Test func `an SRT listener that hangs up is no server that accepts`() throws {
    let listener = try SRTRefuser(hangingUpAfter: .milliseconds(300))
    let (results, isFine) = try check("srt://127.0.0.1:\(listener.port)")
    #expect(!isFine && isAmbiguous(results[.publish]), "\(results)")
  }

  @Test func `an RTSP server that disconnects when asked refuses, or has another publisher`() throws {
    // It ends a connection that doesn't begin with RTMP's handshake.
    let server = try ScriptedRTMPServer()
    let (results, isFine) = try check("rtsp://127.0.0.1:\(server.port)/name")
    #expect(!isFine && isAmbiguous(results[.publish]), "\(results)")
  }
}
