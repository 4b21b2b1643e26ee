// Integration tests of a publisher against a real server in the same process.
import Holdfast
import HoldfastTesting
import Testing

@Suite(.timeLimit(.minutes(2))) struct PublisherTests {
  private func configuration(publishingTo address: OutputAddress? = nil) -> Configuration {
    var configuration = Configuration()
    configuration.video.source = .source(TestCamera())
    configuration.video.size = PictureSize(width: 320, height: 240)
    configuration.video.bitrate = 500_000
    configuration.audio.source = .testTone
    configuration.recording.directory = nil
    configuration.outputs = [address].compactMap(\.self).map { Output($0) }
    return configuration
  }

  @Test func `the stream returns after the server was cut off`() async throws {
    let server = try LocalServer(keys: ["secret"])
    let address = try server.address(of: "hall", key: "secret")
    let broadcaster = try Broadcaster(configuration(publishingTo: address))
    async let reports = broadcaster.run()
    #expect(await server.waitForStream("hall") { ($0.video?.packets ?? 0) >= 30 } != nil)
    server.disconnectAll()
    #expect(await server.waitForStream("hall") { $0.isContinuation && ($0.video?.packets ?? 0) > 0 } != nil)
    broadcaster.stop()
    #expect(try await reports.first?.outputCount == 1)
  }

  @Test func `a server that wants another key refuses`() async throws {
    let server = try LocalServer(keys: ["secret"])
    let broadcaster = try Broadcaster(configuration(publishingTo: server.address(of: "hall", key: "wrong")))
    let error = await #expect(throws: BroadcastError.self) { try await broadcaster.run() }
    #expect(error?.kind == .refused)
  }

  @Test func `a gate that refuses keeps a broadcast from going live`() async throws {
    let gate = FakeGate(.refuse("the hall is closed"))
    let broadcaster = try Broadcaster(configuration(), gate: gate, sinks: [CollectingSink()])
    let error = await #expect(throws: BroadcastError.self) { try await broadcaster.run() }
    #expect(error?.kind == .gate)
    #expect(gate.requests.map(\.occasion) == [.start])
  }

  @Test func `a sink gets both tracks, and cancelling the task ends the broadcast`() async throws {
    let sink = CollectingSink()
    let broadcaster = try Broadcaster(configuration(), sinks: [sink])
    let running = Task { try await broadcaster.run() }
    let hasBothTracks = await sink.wait { Set($0.packets.map(\.trackKind)) == [.video, .audio] }
    running.cancel()
    #expect(hasBothTracks)
    #expect(try await running.value == sink.reports)
    #expect(sink.hasEnded && sink.packets.first { $0.trackKind == .video }?.isKeyframe == true)
  }

  @Test func `a broadcast that its session removes goes on alone`() async throws {
    let hub = try FakeHub()
    var configuration = configuration()
    configuration.membership = SessionSettings(hub.url(), name: "Camera left")
    let broadcaster = try Broadcaster(configuration)
    async let reports = broadcaster.run()
    let session = await hub.waitForSession { $0.members.first?.condition == .live }
    let camera = try #require(session?.members.first)
    let stream = try #require(hub.stream(of: camera.id))
    #expect(await hub.media.waitForStream(stream) { ($0.video?.packets ?? 0) >= 30 } != nil)
    let desk = try SessionMember(SessionSettings(hub.url(), name: "Desk"))
    try await desk.join()
    try await desk.perform(.remove(camera.id))
    #expect(await hub.media.waitForStream(stream) != nil)
    #expect(broadcaster.state == .live)
    broadcaster.stop()
    #expect(try await reports.first?.endReason == .stopped)
  }
}
