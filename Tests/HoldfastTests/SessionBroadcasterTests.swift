import Foundation
import HoldfastTesting
import TestSupport
import TestTraits
import Testing

@testable import Holdfast

/// Broadcasters in a session, at a hub of the test's own.
@Suite(.realTime) struct SessionBroadcasterTests {
  private let hub: FakeHub
  private let scratch = ScratchFolder()

  init() throws { hub = try FakeHub() }

  private func broadcaster(
    _ name: String, sinks: [any PacketSink] = [], isRecorded: Bool = false, hasPreview: Bool = false,
    hasCamera: Bool = true, _ change: (inout SessionSettings) -> Void = { _ in }
  ) throws -> Broadcaster {
    var configuration = Configuration.ofTestSignals()
    configuration.name = name
    if hasCamera { configuration.video.source = .source(TestCamera()) }
    if isRecorded { configuration.recording.directory = scratch.path }
    configuration.session.beginsWithPreview = hasPreview
    var settings = SessionSettings(hub.url())
    change(&settings)
    configuration.membership = settings
    return try Broadcaster(configuration, sinks: sinks)
  }

  private func member(_ name: String) async throws -> String? {
    await hub.waitForSession { $0.members.contains { $0.name == name && $0.condition == .live } }?.members
      .first { $0.name == name }?.id
  }

  @Test func `a broadcaster publishes to its session, goes black when it is muted, and ends with it`()
    async throws
  {
    let sink = CollectingSink()
    let hall = try broadcaster("hall", sinks: [sink], isRecorded: true)
    let events = hall.events()
    async let reports = hall.run()
    let id = try #require(try await member("hall"))
    let stream = try #require(hub.stream(of: id))
    #expect(await hub.media.waitForStream(stream) { ($0.video?.packets ?? 0) > 10 } != nil)
    try hub.perform(.mute(id, [.video]))
    for await event in events where event.kind == .mute(.video, isMuted: true) { break }
    let before = sink.packets.last?.presentationTime ?? .zero
    #expect(await sink.wait { ($0.packets.last?.presentationTime ?? .zero) > before + .seconds(2) })
    #expect(await hub.waitForSession { $0[id]?.reportedMuted == [.video] } != nil)
    try hub.perform(.end)
    #expect(try await reports.map(\.endReason) == [.sessionOver])
    let files = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
    let file = try #require(files.first { $0.hasSuffix(".mp4") })
    let signal = try RecordedSignal(path: scratch.file(file))
    let black = try #require(signal.longestRun { $0.isBlack })
    #expect(black.upperBound == signal.pictures.last?.time && black.upperBound - black.lowerBound > 1)
  }

  @Test func `what is muted here is muted in the session, and what the host unmutes is asked for`()
    async throws
  {
    let hall = try broadcaster("hall")
    let events = hall.events()
    async let reports = hall.run()
    let id = try #require(try await member("hall"))
    try hall.mute(.audio)
    #expect(await hub.waitForSession { $0[id]?.mutedBySelf == [.audio] } != nil)
    try hub.perform(.unmute(id))
    for await event in events {
      if case .membership("unmuteAsked", _) = event.kind { break }
    }
    try hall.answerUnmute(true)
    #expect(await hub.waitForSession { $0[id]?.muted == [] } != nil)
    hall.stop()
    _ = try await reports
    #expect(hub.state()?[id] == nil)
  }

  @Test func `back in the preview a broadcaster has left, and its next broadcast joins again`()
    async throws
  {
    let hall = try broadcaster("hall", hasPreview: true)
    async let reports = hall.run()
    #expect(await hub.waitForRequests(.join, count: 1))
    for round in 1...2 {
      #expect(hub.count(.leave) == round - 1)
      try await hall.start()
      let id = try #require(try await member("hall"))
      let stream = try #require(hub.stream(of: id))
      #expect(await hub.media.waitForStream(stream) { ($0.video?.packets ?? 0) > 10 } != nil)
      try await hall.end()
      #expect(await hub.waitForRequests(.leave, count: round) && hall.state == .previewing)
    }
    #expect(hub.count(.join) == 2)
    hall.stop()
    #expect(try await reports.map(\.endReason) == [.stopped, .stopped])
  }

  @Test func `a broadcaster that goes on after its session stays on air`() async throws {
    let hall = try broadcaster("hall", sinks: [CollectingSink()]) { $0.afterSession = .goOn }
    let events = hall.events()
    async let reports = hall.run()
    _ = try #require(try await member("hall"))
    try hub.perform(.end)
    for await event in events {
      if case .membership("session", let details) = event.kind, details.contains("over") { break }
    }
    #expect(hall.state == .live)
    hall.stop()
    #expect(try await reports.map(\.endReason) == [.stopped])
  }

  @Test(arguments: [true, false])
  func `two broadcasters wait for each other before they go live`(haveCameras: Bool) async throws {
    let left = try broadcaster("left", hasCamera: haveCameras) { $0.awaitsOthers = 1 }
    let events = left.events()
    async let first = left.run()
    for await event in events where event.kind == .gate(.asked, reason: nil, by: nil) { break }
    #expect(left.state == .starting)
    let right = try broadcaster("right", hasCamera: haveCameras) { $0.awaitsOthers = 1 }
    async let second = right.run()
    let state = await hub.waitForSession { $0.members.count { $0.condition == .live } == 2 }
    #expect(state?.members.map(\.name).sorted() == ["left", "right"])
    try hub.perform(.end)
    for reports in try await [first, second] { #expect(reports.map(\.endReason) == [.sessionOver]) }
  }

  @Test
  func `the session can't be changed while the broadcaster lives, and a broadcaster without one says so`()
    throws
  {
    let hall = try broadcaster("hall")
    var configuration = Configuration()
    configuration.name = "hall"
    let error = #expect(throws: Holdfast.ConfigurationError.self) { try hall.reconfigure(configuration) }
    #expect(error?.properties.contains("membership") == true)
    let alone = try Broadcaster(configuration)
    #expect(throws: CommandError.self) { try alone.leaveSession() }
  }
}
