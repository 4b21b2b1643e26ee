import HoldfastLifecycle
import HoldfastMediaModel
import TestSupport
import Testing

@testable import HoldfastPublishing

/// An output whose address is given, changed and taken away while it runs.
@Suite struct OutputMoveTests {
  private typealias Story = OutputMachineStory

  private static func waiting(_ messages: [OutputMachine.Event] = []) throws -> Story {
    var story = try Story(messages) { $0.awaitsAddress = true }
    story.handle(.publish, .track(SampleTracks.video))
    return story
  }

  private static func address(_ text: String) throws -> OutputMachine.Event {
    .move(to: try OutputAddress(text))
  }

  @Test func `an output without an address connects nowhere, and holds nobody up`() throws {
    var story = try Self.waiting()
    #expect((story.takeVerbs(), story.takeReports()) == ([], [.firstAttemptFinished]))
    #expect(story.takeVerbs(after: .pause, .publish, .networkChanged) == [])
    story.finish()
    #expect(story.machine.state == .finished && story.problems == [])
  }

  @Test func `once it has an address it connects, and what came before is no loss`() throws {
    var story = try Self.waiting()
    _ = story.takeReports()
    story.handle(try Self.address("rtmp://media/live/box?key=1"))
    #expect(story.takeVerbs(after: .disconnected(1, .video(.seconds(10)))) == ["drop 1", "connect 2 record"])
    story.handle(.connected(2), .mediaSent(2, lost: OutputLoss()), .proven(2))
    story.pass(.seconds(2))
    #expect(story.takeReports().compactMap(\.loss) == [] && story.problems == [])
  }

  @Test func `a new key is for the next connection`() throws {
    var story = try Story(Story.publishing, to: "rtmp://host/app/key?key=1")
    _ = story.takeVerbs()
    #expect(try story.takeVerbs(after: Self.address("rtmp://host/app/key?key=2")) == [])
    story.handle(.failed(1, SinkError(.closed, "closed")), .disconnected(1))
    story.fireNextTimer()
    #expect(story.addresses.last == (try OutputAddress("rtmp://host/app/key?key=2")))
  }

  @Test func `another place ends the connection in order, and begins there`() throws {
    var story = try Story.published()
    #expect(try story.takeVerbs(after: Self.address("rtmp://other/app/key")) == ["close 1"])
    #expect(story.takeVerbs(after: .disconnected(1)) == ["connect 2 append"])
    #expect(story.addresses.last == (try OutputAddress("rtmp://other/app/key")))
  }

  @Test func `another place is not asked for a session that the former one keeps`() throws {
    var story = try Story.published(.pause, .suspended(1))
    _ = story.takeVerbs()
    #expect(try story.takeVerbs(after: Self.address("rtmp://other/app/key")) == ["close 1"])
    #expect(story.takeVerbs(after: .disconnected(1), .publish) == ["connect 2 append"])
  }

  @Test func `an address that is taken away ends the publish, and nothing is missing from then on`() throws {
    var story = try Story.published()
    #expect(story.takeVerbs(after: .move(to: nil)) == ["close 1"])
    story.handle(.disconnected(1))
    story.pass(.seconds(60))
    #expect(story.takeVerbs() == [] && story.machine.figures.losing == nil)
    #expect(story.takeReports() == [.changed(.init(.closed), reason: nil)])
    story.handle(try Self.address("rtmp://host/app/key"))
    #expect(story.takeVerbs(after: .disconnected(2, .video(.seconds(60)))) == ["drop 2", "connect 3 append"])
    story.handle(.connected(3), .mediaSent(3, lost: OutputLoss()), .proven(3))
    #expect(story.takeReports().compactMap(\.loss) == [])
  }

  @Test func `a refusal is waited out where none is accepted`() throws {
    var story = try Story([.publish, .track(SampleTracks.video)]) { $0.acceptsRefusals = false }
    story.handle(.failed(1, SinkError(.refused, "the key is over")), .disconnected(1))
    #expect(story.machine.figures.condition.state == .waiting)
    story.fireNextTimer()
    #expect(story.takeVerbs() == ["connect 1 record", "drop 1", "connect 2 record"])
  }
}
