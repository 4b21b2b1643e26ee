import Dispatch
import Foundation
import HoldfastBroadcasting
import HoldfastTesting
import TestSupport
import TestTraits
import Testing

@testable import Holdfast

private typealias Broadcaster = Holdfast.Broadcaster
private typealias Configuration = Holdfast.Configuration
private typealias ConfigurationError = Holdfast.ConfigurationError

@Suite(.realTime) struct BroadcasterTests {
  private let scratch = ScratchFolder()

  /// Broadcasts with its journal below `state` until `isEnough`, and returns what has happened.
  private func broadcast(state: String, until isEnough: (Event) throws -> Bool) async throws -> [Event] {
    let broadcaster = try Broadcaster(
      .ofTestSignals { $0.session.afterCrash = .resume }, sinks: [CollectingSink()],
      environment: ["XDG_STATE_HOME": state])
    var events: [Event] = []
    let stream = broadcaster.events()
    async let reports = broadcaster.run()
    for await event in stream {
      events.append(event)
      if try isEnough(event) { broadcaster.stop() }
    }
    _ = try await reports
    return events
  }

  @Test func `a broadcast cut off by a crash is resumed`() async throws {
    let (first, second) = (scratch.file("first"), scratch.file("second"))
    // The journal as it is while the broadcast is live is what a crash leaves behind.
    let before = try await broadcast(state: first) { event in
      guard event.kind == .live else { return false }
      try FileManager.default.copyItem(atPath: first, toPath: second)
      return true
    }
    func isResumed(_ event: Event) -> Bool { if case .resumed = event.kind { true } else { false } }
    let after = try await broadcast(state: second, until: isResumed)
    #expect(after.first(where: isResumed)?.broadcastID == before.first { $0.kind == .live }?.broadcastID)
  }

  @Test func `two broadcasters can't share a journal`() throws {
    let configuration = Configuration.ofTestSignals { $0.session.afterCrash = .withinWindow }
    let environment = ["XDG_STATE_HOME": scratch.path]
    let first = try Broadcaster(configuration, sinks: [CollectingSink()], environment: environment)
    let error = #expect(throws: ConfigurationError.self) {
      try Broadcaster(configuration, sinks: [CollectingSink()], environment: environment)
    }
    #expect(error?.properties == ["session.afterCrash"])
    withExtendedLifetime(first) {}
  }

  @Test func `reconfiguring refuses what is invalid or fixed`() throws {
    let broadcaster = try Broadcaster(.ofTestSignals(), sinks: [CollectingSink()])
    try broadcaster.reconfigure(.ofTestSignals { $0.video.bitrate = 900_000 })
    func refused(_ change: (inout Configuration) -> Void) -> [String]? {
      do { try broadcaster.reconfigure(.ofTestSignals(change)) } catch { return error.properties }
      return nil
    }
    #expect(refused { $0.video.bitrate = 1 } == ["video.bitrate"])
    let fixed = refused { ($0.name, $0.session.gateTimeout) = ("a", .seconds(1)) }
    #expect(fixed == ["name", "session.gateTimeout"])
    #expect(broadcaster.inner.configuration.video.bitrate == 900_000)
  }

  @Test func `a command that is refused says why`() async throws {
    let broadcaster = try Broadcaster(.ofTestSignals(), sinks: [CollectingSink()])
    #expect(await refusal { try await broadcaster.interrupt() } == "the broadcaster is not running yet")
    let events = broadcaster.events()
    async let reports = broadcaster.run()
    for await event in events where event.kind == .live { break }
    #expect(await refusal { try await broadcaster.resume() } == "the broadcast is not interrupted")
    #expect(await refusal { try await broadcaster.start() } == "a broadcast has begun already")
    #expect(
      await refusal { try await broadcaster.foreground() } == "the broadcaster is not in the background")
    try await broadcaster.interrupt()
    guard case .interrupted(.user, let until) = broadcaster.state else { throw CancellationError() }
    #expect(abs((until.sinceEpoch - .seconds(Date.now.timeIntervalSince1970 + 120)) / .seconds(1)) < 10)
    #expect(broadcaster.state == .interrupted(.user, resumableUntil: until))
    broadcaster.stop()
    #expect(try await reports.map(\.endReason) == [.stopped] && broadcaster.state == .ended(.stopped))
    #expect(await refusal { try await broadcaster.end() } == "the broadcaster has ended")
    #expect(await refusal { try await broadcaster.extend(by: .seconds(1)) } == "the session is over")
  }

  private func refusal(of command: () async throws -> Void) async -> String? {
    do { try await command() } catch { return (error as? CommandError)?.what }
    return nil
  }

  @Test func `a sink gets each broadcast's report, and a failure carries all reports`() async throws {
    let (sink, gate) = (CollectingSink(), FakeGate())
    let broadcaster = try Broadcaster(
      .ofTestSignals { $0.session.beginsWithPreview = true }, gate: gate, sinks: [sink])
    let events = broadcaster.events()
    var hasStarted = false
    async let reports = broadcaster.run()
    for await event in events {
      switch event.kind {
      case .previewing where !hasStarted:
        hasStarted = true
        try await broadcaster.start()
      case .live:
        let hasPackets = await sink.wait { !$0.packets.isEmpty }
        #expect(hasPackets)
        try await broadcaster.end()
      case .ended(.stopped, _, _):
        let hasReport = await sink.wait { $0.reports.count == 1 }
        #expect(hasReport && !sink.hasEnded)
        gate.verdict = .refuse("the hall is closed")
        try await broadcaster.start()
      case .ended(.gateRefused, _, _): broadcaster.stop()
      default: break
      }
    }
    do {
      _ = try await reports
      Issue.record("the refused broadcast was not reported")
    } catch let error as Holdfast.BroadcastError {
      #expect(error.kind == .gate && error.reports == sink.reports)
    }
    #expect(sink.reports.map(\.endReason) == [.stopped] && sink.hasEnded)
  }

  @Test func `ready has to come from somebody else than the caller of the start`() async throws {
    let broadcaster = try Broadcaster(
      .ofTestSignals { ($0.session.beginsWithPreview, $0.session.awaitsReady) = (true, true) },
      sinks: [CollectingSink()])
    let events = broadcaster.events()
    async let reports = broadcaster.run()
    for await event in events {
      switch event.kind {
      case .previewing: try await broadcaster.start(by: "Anna")
      case .gate(.asked, _, _):
        let refused = await refusal { try await broadcaster.answerGate(ready: true, by: "Anna") }
        #expect(refused == "Anna started this broadcast, so somebody else has to say ready")
        try await broadcaster.answerGate(ready: true, by: "Max")
      case .gate(.passed, _, let person): #expect(person == "Max")
      case .live:
        let refused = await refusal { try await broadcaster.answerGate(ready: true, by: "Max") }
        // The event may be a moment ahead of the state.
        #expect(refused?.hasPrefix("no gate awaits ready while") == true)
        broadcaster.stop()
      default: break
      }
    }
    #expect(try await reports.map(\.endReason) == [.stopped])
  }

  @Test func `the picture switches to another source on air`() async throws {
    let stage = VideoSelection.source(TestCamera(name: "stage"))
    let broadcaster = try Broadcaster(
      .ofTestSignals { $0.session.duration = .seconds(60) }, sinks: [CollectingSink()])
    let events = broadcaster.events()
    async let reports = broadcaster.run()
    for await event in events {
      if event.kind == .live { try await broadcaster.switchVideo(to: stage) }
      if event.kind == .source(.video, name: stage.description) { broadcaster.stop() }
    }
    #expect(try await reports.map(\.endReason) == [.stopped])
  }

  @Test func `a source without a frame rate makes the start fail`() async throws {
    let source = VideoSelection.source(TestCamera(frameRate: 0))
    let broadcaster = try Broadcaster(.ofTestSignals { $0.video.source = source }, sinks: [CollectingSink()])
    let error = await #expect(throws: Holdfast.BroadcastError.self) { try await broadcaster.run() }
    #expect(error?.description.contains("is not a frame rate") == true)
  }

  @Test func `a broadcast whose source hangs ends with a device error`() async throws {
    let source = BlockedSource()
    let configuration = Configuration.ofTestSignals { $0.video.source = .source(source) }
    let broadcaster = try Broadcaster(configuration, sinks: [CollectingSink()])
    let error = await #expect(throws: Holdfast.BroadcastError.self) { try await broadcaster.run() }
    #expect(error?.kind == .device && error?.what.contains("delivered nothing within 5 s") == true)
    source.end.signal()
  }
}

/// Pictures of a program that hangs: its source neither delivers nor stops.
private final class BlockedSource: PictureSource {
  let name = "grid"
  let size = PictureSize(width: 64, height: 64)
  let frameRate: FrameRate = 25
  let end = DispatchSemaphore(value: 0)

  func run(until stop: SourceStop, deliver: (Picture) -> Void) { end.wait() }
}
