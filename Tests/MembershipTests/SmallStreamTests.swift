import HoldfastMediaModel
import HoldfastSession
import Testing

@testable import HoldfastMembership

/// The second stream of a box, for small tiles.
@Suite final class SmallStreamTests {
  private var story: MembershipStory

  init() throws { story = try MembershipStory { $0.wants = [.ingest, .ingestSmall] } }

  private static let main = MembershipMachine.Action.publish(.main, to: "rtmp://media/live/box?key=1")

  private static func place(small: String?) -> Session.MemberPlace {
    MembershipStory.place { $0.ingestSmall = small }
  }

  private static func answer(small: String?) throws -> Session.JoinAnswer {
    try MembershipStory.joinAnswer(place(small: small))
  }

  private func streams(_ story: inout MembershipStory) -> [MembershipMachine.Action] {
    story.takeActions().filter { action in
      switch action {
      case .publish, .unpublish: true
      case .remember, .send, .openStream, .closeStream, .changeHub, .askPassword, .mute, .showScreen,
        .endBroadcast, .report:
        false
      }
    }
  }

  @Test
  func `both streams are published where the hub says, each as it changes, and close together`() throws {
    story.handle(.started, .joined(1, try Self.answer(small: "small 1")))
    #expect(streams(&story) == [Self.main, .publish(.small, to: "small 1")])
    let place = Self.place(small: "small 2")
    story.handle(.beaten(story.request, Session.BeatAnswer(version: "2", place: place)))
    #expect(streams(&story) == [.publish(.small, to: "small 2")])
    story.passToRequest()
    story.fail(.refused(409, "superseded"))
    #expect(streams(&story) == [.unpublish(.main), .unpublish(.small)])
  }

  @Test func `a hub that gives no second address has the main stream alone`() throws {
    story.handle(.started, .joined(1, try Self.answer(small: nil)))
    #expect(streams(&story) == [Self.main])
    let place = Self.place(small: "small")
    story.handle(.beaten(story.request, Session.BeatAnswer(version: "2", place: place)))
    #expect(streams(&story) == [.publish(.small, to: "small")])
  }

  @Test func `both streams go on after a crash, before a hub is heard`() throws {
    story.handle(.started, .joined(1, try Self.answer(small: "small")))
    var resumed = try MembershipStory(record: story.machine.record) {
      $0.wants = [.ingest, .ingestSmall]
      $0.continues = true
    }
    resumed.handle(.started)
    #expect(streams(&resumed) == [Self.main, .publish(.small, to: "small")])
  }

  @Test func `an older hub that knows no small streams is asked at once for what it knows`() throws {
    story.handle(.started)
    _ = story.takeActions()
    story.fail(.refused(422, "badValue"))
    let join = try #require(story.actions.last?.join)
    #expect(join.wants == [.ingest])
    #expect(story.machine.snapshot.state == "joining")
    story.fail(.refused(422, "badValue"))
    #expect(story.machine.snapshot.state == "refused")
    story.passToRequest()
    story.handle(.joined(story.request, try Self.answer(small: nil)))
    story.handle(.beaten(story.request, MembershipStory.beatAnswer(2)))
    _ = story.takeActions()
    // Another hub of the address may be newer.
    story.passToRequest()
    story.retry(after: .refused(409, "leaseOver"))
    let wants = story.actions.compactMap(\.join?.wants)
    #expect(wants == [[.ingest, .ingestSmall]])
  }

  @Test func `a change of the small stream is said at once`() throws {
    story.handle(.started, .joined(1, try Self.answer(small: "small")))
    story.handle(.beaten(story.request, MembershipStory.beatAnswer(2)))
    let now = story.now
    story.handle(.reported(Session.Member.Report(givesSmall: true)))
    story.passToRequest()
    #expect(story.now - now <= .milliseconds(250))
    let beat = try #require(story.actions.last?.beat)
    #expect(beat.report.givesSmall)
  }
}
