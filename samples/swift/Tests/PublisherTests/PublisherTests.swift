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
    if let address { configuration.outputs.list = [Output(address)] }
    return configuration
  }

  @Test func `pictures and sound arrive at the server`() async throws {
    let server = try LocalServer(keys: ["secret"])
    let address = try server.address(of: "hall", key: "secret")
    let broadcaster = try Broadcaster(configuration(publishingTo: address))
    async let reports = broadcaster.run()
    let arrived = await server.stream("hall") { ($0.video?.packets ?? 0) >= 60 }
    broadcaster.stop()
    #expect(try #require(arrived?.video).keyframes >= 1)
    #expect(try await reports.first?.outputs == 1)
    #expect(await server.stream("hall")?.isEnded == true)
  }

  @Test func `a server that wants another key refuses`() async throws {
    let server = try LocalServer(keys: ["secret"])
    let broadcaster = try Broadcaster(configuration(publishingTo: server.address(of: "hall", key: "wrong")))
    let error = await #expect(throws: BroadcastError.self) { try await broadcaster.run() }
    #expect(error?.kind == .refused)
  }

  @Test func `a gate that refuses keeps a broadcast from going live`() async throws {
    let gate = FakeGate(.refuse("the hall is closed"))
    let broadcaster = try Broadcaster(configuration(), gate: gate, sinks: [RecordingSink()])
    let error = await #expect(throws: BroadcastError.self) { try await broadcaster.run() }
    #expect(error?.kind == .gate)
    #expect(gate.questions.map(\.occasion) == [.start])
  }

  @Test func `a sink gets both tracks, and cancelling the task ends the broadcast`() async throws {
    let sink = RecordingSink()
    let broadcaster = try Broadcaster(configuration(), sinks: [sink])
    let events = broadcaster.events()
    let running = Task { try await broadcaster.run() }
    for await event in events where event.kind == .live { break }
    while Set(sink.packets.map(\.track)).count < 2 { try await Task.sleep(for: .milliseconds(20)) }
    running.cancel()
    #expect(try await running.value.count == 1)
    #expect(Set(sink.tracks.map(\.kind)) == [.video, .audio] && sink.isEnded)
    #expect(sink.packets.first { $0.track == .video }?.isKeyframe == true)
  }
}
