import HoldfastMediaModel
import Testing

@testable import HoldfastRTMP

/// Our client and server connected to each other, without a network.
@Suite struct RTMPServerAndClientTests {
  private struct Wire {
    var client: RTMPClient
    var server = RTMPServerScript.makeServer()
    var told: [RTMPClient.Event] = []
    var asked: [RTMPServer.Event] = []
    /// The answer to a publish; nil accepts it.
    var refusal: RTMPServer.Refusal?

    init(_ type: PublishType = .record, codecs: [Codec] = [.h264, .aac]) throws {
      client = RTMPClient(
        .init(
          url: try RTMPURL("rtmp://h/live/cam?key=1"), publishType: type, codecs: codecs,
          digests: RTMPServerScript.digests, random: Array(repeating: 5, count: 1536)))
      client.begin()
    }

    /// Carries bytes both ways until neither side has more to say.
    mutating func settle() throws {
      while !client.outgoing.isEmpty || !server.outgoing.isEmpty {
        let up = client.outgoing.takeAll()
        try server.receive(up.span)
        while let event = try server.next() {
          asked.append(event)
          if case .publishRequested = event, let refusal { server.refuse(refusal) } else { server.accept() }
        }
        let down = server.outgoing.takeAll()
        told += try client.receive(down.span)
      }
    }
  }

  @Test(arguments: PublishType.allCases)
  func `a publish is requested with its type, and accepted`(type: PublishType) throws {
    var wire = try Wire(type)
    try wire.settle()
    #expect(wire.told.contains(.accepted))
    #expect(wire.asked.contains(.publishRequested(.init(stream: 1, name: "cam", query: "key=1", type: type))))
  }

  @Test(
    arguments: [(.nameTaken, .nameTaken), (.unauthorized, .credentials)]
      as [(RTMPServer.Refusal.Reason, RTMPRefusal.Reason)])
  func `the client understands the server's refusal`(
    reason: RTMPServer.Refusal.Reason, understood: RTMPRefusal.Reason
  ) throws {
    var wire = try Wire()
    wire.refusal = .init(reason, "no")
    try wire.settle()
    let refusals = wire.told.compactMap { event -> RTMPRefusal.Reason? in
      if case .refused(let refusal) = event { refusal.reason } else { nil }
    }
    #expect(refusals == [understood])
  }

  @Test func `a client that asks learns the server's codecs`() throws {
    var wire = try Wire(codecs: [.hevc, .opus])
    try wire.settle()
    #expect(wire.client.serverFourCCs == ["avc1", "hvc1", "av01", "mp4a", "Opus"])
  }

  @Test func `packets arrive with their times and contents`() throws {
    var wire = try Wire()
    try wire.settle()
    let track = Track(
      codec: .aac, format: .audio(AudioFormat(sampleRate: 44_100, channels: 2)), headers: [0x12, 0x10],
      bitrate: 0)
    try wire.client.start([track])
    let time = MediaTime.milliseconds(20_000_000)
    let packet = MediaPacket(
      track: .audio, decodeTime: time, presentationTime: time, duration: .zero, isKeyframe: true,
      bytes: [1, 2, 3])
    try wire.client.send(packet, at: time)
    wire.client.finish()
    wire.asked = []
    try wire.settle()
    #expect(
      wire.asked.dropFirst() == [
        .media(1, .audio, timestamp: 0, payload: [0xAF, 0, 0x12, 0x10]),
        .media(1, .audio, timestamp: 20_000_000, payload: [0xAF, 1, 1, 2, 3]), .unpublished(1),
      ])
  }

  @Test func `pings and acknowledgements go both ways`() throws {
    var wire = try Wire()
    try wire.settle()
    wire.client.requestAcknowledgements(every: 1)
    wire.client.ping(42)
    try wire.settle()
    #expect(wire.told.contains(.pong(42)))
    #expect(wire.told.contains { if case .acknowledged = $0 { true } else { false } })
    wire.asked = []
    wire.server.ping(43)
    try wire.settle()
    #expect(wire.asked.contains(.pong(43)))
  }
}
