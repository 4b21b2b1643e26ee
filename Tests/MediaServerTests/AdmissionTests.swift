import HoldfastMediaModel
import HoldfastMediaServer
import HoldfastPlatform
import HoldfastRTMP
import HoldfastTesting
import TestSupport
import TestTraits
import Testing

/// A server whose embedder decides who may publish and play.
@Suite(.realTime) struct AdmissionTests {
  private let rules: TestAdmission
  private let server: LocalServer

  init() throws {
    rules = TestAdmission()
    server = try LocalServer(admission: rules.admission) { $0.playerTimeout = .seconds(20) }
  }

  private func publisher(_ stream: String = "cam", key: String? = "cam-1") throws -> TestPublisher {
    try TestPublisher.answered(server.url(stream, key: key), .live)
  }

  private func player(key: String? = "play-1") throws -> TestPlayer {
    try TestPlayer(server.url("cam", key: key))
  }

  private func playing(_ stream: String = "cam") throws -> TestPlayer {
    try TestPlayer.playing(server.url(stream, key: "play-1"))
  }

  private func endReason(of stream: String) -> MediaServer.EndReason? {
    let event = server.wait { if case .ended(let report, _) = $0 { report.name == stream } else { false } }
    return if case .ended(_, let reason) = event { reason } else { nil }
  }

  @Test func `the embedder is asked for the stream, the key and the type of a publish`() throws {
    #expect(try TestPublisher.answered(server.url("cam", key: "cam%2D1"), .append).isAccepted)
    #expect(rules.judged == ["cam cam-1 append"])
  }

  @Test(arguments: [nil, "", "wrong", "other-1", "play-1"] as [String?])
  func `a publisher without the key of its stream is refused`(key: String?) throws {
    #expect(try publisher(key: key).refusal == .credentials)
    #expect(server.isEventuallyRefusing(.wrongKey, of: "cam"))
  }

  @Test(arguments: [nil, "", "wrong", "cam-1"] as [String?])
  func `a player without its key is refused, even before there is a stream`(key: String?) throws {
    #expect(try player(key: key).answer() == "NetStream.Play.Failed")
    #expect(server.isEventuallyRefusing(.wrongKey, of: "cam"))
  }

  @Test func `a player with its key gets the stream, and no event shows a key`() throws {
    let publisher = try publisher()
    let player = try playing()
    #expect(try player.pictures(from: publisher) == 50)
    #expect(!"\(server.events)".contains("-1"))
  }

  @Test func `each refused play costs its address a second`() throws {
    let began = MonotonicTime.now
    for _ in 0..<3 { #expect(try player(key: "guess").answer() == "NetStream.Play.Failed") }
    #expect(.now - began >= .seconds(2))
    #expect(try publisher().isAccepted)
    #expect(.now - began >= .seconds(3))
  }

  @Test func `players that nobody judges don't wait for wrong keys of publishers`() throws {
    let server = try LocalServer(admission: .keys(["s3cret"])) { $0.playerTimeout = .seconds(20) }
    let publisher = try TestPublisher.answered(server.url("cam", key: "s3cret"), .live)
    let began = MonotonicTime.now
    _ = try TestPublisher.answered(server.url("other", key: "guess"), .live)
    for _ in 0..<20 { try TestPlayer(server.url("cam")).waitUntilPlaying() }
    #expect(publisher.isAccepted)
    #expect(.now - began < .seconds(10))
  }

  @Test func `a publish whose key has expired ends with the next revalidation`() throws {
    let expiring = try publisher()
    let staying = try publisher("other", key: "other-1")
    let player = try playing("other")
    rules.change { $0.keys["cam"] = "cam-2" }
    server.running.revalidate()
    #expect(endReason(of: "cam") == .revoked)
    try expiring.readToEnd()
    #expect(expiring.events.contains(.ended))
    #expect(try player.pictures(from: staying) == 50)
    #expect(endReason(of: "other") == .unpublished)
  }

  @Test func `a revalidation that refuses nobody changes nothing`() throws {
    let publisher = try publisher()
    let player = try playing()
    server.running.revalidate()
    // Judged once at the start, and once more.
    #expect(eventually { rules.judged.count == 2 })
    #expect(try player.pictures(from: publisher) == 50)
  }

  @Test func `a player whose key has expired is disconnected, and the publish goes on`() throws {
    let publisher = try publisher()
    let player = try playing()
    rules.change { $0.playKey = "play-2" }
    server.running.revalidate()
    #expect(server.wait { if case .cutOff = $0 { true } else { false } } != nil)
    try player.readToEnd()
    try publisher.finish(with: Fixture.h264AndAAC())
    #expect((server.waitForEnd(of: "cam")?.video?.packets, player.packets(of: .video)) == (50, 0))
  }

  @Test func `a player that is removed gets nothing of what waits for it`() throws {
    let publisher = try publisher()
    let slow = try playing()
    try publisher.send(pictures: 12, of: 1_000_000, like: Fixture.h264AndAAC())
    #expect(server.waitForReport(of: "cam") { $0.video?.packets == 12 } != nil)
    rules.change { $0.playKey = nil }
    server.running.revalidate()
    #expect(server.wait { if case .playerLeft = $0 { true } else { false } } != nil)
    // The connection is reset, with what the system still held.
    #expect(throws: ConnectionError.self) { try slow.readToEnd() }
    #expect(slow.packets(of: .video) < 12)
  }

  @Test func `a player that waits for its stream is refused by a revalidation`() throws {
    let player = try player()
    // The server has its request once it has judged a later one of another connection.
    _ = try publisher("other", key: "other-1")
    rules.change { $0.playKey = nil }
    server.running.revalidate()
    #expect(try player.answer() == "NetStream.Play.Failed")
  }

  @Test func `the embedder ends the publish of one stream`() throws {
    let publisher = try publisher()
    let other = try self.publisher("other", key: "other-1")
    server.running.disconnectPublisher(of: "cam")
    server.running.disconnectPublisher(of: "nothing")
    #expect(endReason(of: "cam") == .revoked)
    try publisher.readToEnd()
    #expect(try server.receivesFile(from: other, as: "other"))
  }

  @Test func `the embedder changes the server from its own callbacks`() throws {
    let running = Locked<MediaServer?>(nil)
    let ended = Promise<MediaServer.EndReason>()
    let server = try MediaServer(admission: rules.admission) { event in
      if case .publishing = event { running.withLock { $0 }?.disconnectPublisher(of: "cam") }
      if case .ended(_, let reason) = event { ended.fulfil(reason) }
    }
    running.withLock { $0 = server }
    try server.start()
    _ = try TestPublisher.answered(server.url("cam?key=cam-1"), .live)
    #expect(ended.take(until: generousDeadline) == .revoked)
    server.stop()
    running.withLock { $0 = nil }
  }

  @Test func `a publisher that may takes its stream over from a connection that is still half open`() throws {
    let old = try publisher()
    try old.send(pictures: 3, of: 1000, like: Fixture.h264AndAAC())
    #expect(server.waitForReport(of: "cam") { $0.video?.packets == 3 } != nil)
    rules.change { ($0.keys["cam"], $0.takesOver) = ("cam-2", true) }
    let new = try publisher(key: "cam-2")
    #expect(new.isAccepted)
    #expect(endReason(of: "cam") == .replaced)
    try new.finish(with: Fixture.h264AndAAC())
    #expect(server.waitForEnd(of: "cam", times: 2)?.video?.packets == 50)
    try old.readToEnd()
    #expect(old.events.contains(.ended))
  }

  @Test func `a player of a stream that is taken over is told its end, and may play the new one`() throws {
    rules.change { $0.takesOver = true }
    let old = try publisher()
    let player = try playing()
    let new = try publisher()
    try player.readToEnd()
    let again = try playing()
    #expect(try again.pictures(from: new) == 50)
    withExtendedLifetime(old) {}
  }

  @Test func `a takeover of a recorded stream keeps the file of the older publish`() throws {
    let folder = ScratchFolder()
    let rules = rules
    rules.change { $0.takesOver = true }
    let server = try LocalServer(admission: rules.admission) { $0.directory = folder.path }
    let old = try TestPublisher.answered(server.url("cam", key: "cam-1"), .record)
    #expect(try server.receivesFile(from: old))
    try TestPublisher.publish(Fixture.h264AndAAC(), to: server.url("cam", key: "cam-1"), .record)
    #expect(server.waitForEnd(of: "cam", times: 2)?.video?.packets == 50)
    #expect(server.wait { if case .movedAside = $0 { true } else { false } } != nil)
  }

  @Test func `without leave to take over, the older publish keeps the name`() throws {
    let old = try publisher()
    #expect(try publisher().refusal == .nameTaken)
    #expect(try server.receivesFile(from: old))
  }
}
