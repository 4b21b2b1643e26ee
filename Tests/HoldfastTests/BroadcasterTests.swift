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

  private func configuration(_ change: (inout Configuration) -> Void = { _ in }) -> Configuration {
    var configuration = Configuration()
    configuration.video.source = .testPicture
    configuration.video.size = PictureSize(width: 320, height: 240)
    configuration.audio.source = .testTone
    configuration.recording.directory = nil
    change(&configuration)
    return configuration
  }

  /// Broadcasts with its journal below `state` until `isEnough`, and returns what has happened.
  private func broadcast(state: String, until isEnough: (Event) throws -> Bool) async throws -> [Event] {
    let broadcaster = try Broadcaster(
      configuration { $0.session.afterCrash = .resume }, sinks: [RecordingSink()],
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

  @Test func `a broadcast that came to a sudden end is resumed`() async throws {
    let (first, second) = (scratch.file("first"), scratch.file("second"))
    // The journal as it is while the broadcast is live is what a crash leaves behind.
    let before = try await broadcast(state: first) { event in
      guard event.kind == .live else { return false }
      try FileManager.default.copyItem(atPath: first, toPath: second)
      return true
    }
    let after = try await broadcast(state: second) { event in
      if case .resumed = event.kind { true } else { false }
    }
    let resumed = after.first { if case .resumed = $0.kind { true } else { false } }
    #expect(resumed?.broadcast == before.first { $0.kind == .live }?.broadcast)
  }

  @Test func `two broadcasters don't keep one journal`() throws {
    let configuration = configuration { $0.session.afterCrash = .withinWindow }
    let environment = ["XDG_STATE_HOME": scratch.path]
    let first = try Broadcaster(configuration, sinks: [RecordingSink()], environment: environment)
    let error = #expect(throws: ConfigurationError.self) {
      try Broadcaster(configuration, sinks: [RecordingSink()], environment: environment)
    }
    #expect(error?.settings == ["afterCrash"])
    withExtendedLifetime(first) {}
  }

  @Test func `another configuration is taken, but not another name`() throws {
    let broadcaster = try Broadcaster(configuration(), sinks: [RecordingSink()])
    try broadcaster.reconfigure(
      configuration {
        $0.name = "hall"
        $0.video.bitrate = 900_000
      })
    #expect(broadcaster.inner.configuration.video.bitrate == 900_000)
    #expect(broadcaster.inner.configuration.name == "holdfast")
    let error = #expect(throws: ConfigurationError.self) {
      try broadcaster.reconfigure(configuration { $0.video.bitrate = 1 })
    }
    #expect(error?.description == "bitrate: out of range; it may be 50k to 200M")
  }
}
