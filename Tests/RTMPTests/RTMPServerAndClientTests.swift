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

    init() throws {
      client = RTMPClient(
        .init(
          url: try RTMPURL("rtmp://h/live/cam?key=1"), publishType: .record, codecs: [.h264, .aac],
          digests: RTMPServerScript.digests, random: Array(repeating: 5, count: 1536)))
      client.begin()
      try settle()
    }

    /// Carries bytes both ways until neither side has more to say.
    mutating func settle() throws {
      while !client.outgoing.isEmpty || !server.outgoing.isEmpty {
        let up = client.outgoing.takeAll()
        try server.receive(up.span)
        while let event = try server.next() {
          asked.append(event)
          server.accept()
        }
        let down = server.outgoing.takeAll()
        told += try client.receive(down.span)
      }
    }
  }

  @Test func `packets arrive with their times and contents`() throws {
    var wire = try Wire()
    let track = Track(
      codec: .aac, format: .audio(AudioFormat(sampleRate: 44_100, channels: 2)), headers: [0x12, 0x10],
      bitrate: 0)
    try wire.client.start([track])
    try wire.client.send(Sample.packet(.audio, [1, 2, 3]), at: .milliseconds(20_000_000))
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
