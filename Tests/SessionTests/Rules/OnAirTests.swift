import HoldfastMediaModel
import Testing

@testable import HoldfastSession

@Suite struct OnAirTests {
  private static let worker = Session.Caller.token(Session.Credential(.worker, token: "worker"))

  private static func onAir() throws -> SessionStory {
    var story = SessionStory.busy
    let order = try Session.JobOrder(id: "job", broadcast: "b1", outputs: ["rtmp://media.example/live/key"])
    story.apply(.live(order), by: "Anna")
    return story
  }

  private func work(
    _ story: inout SessionStory, _ lease: Session.Lease?, _ state: Session.Job.State, _ seconds: Int64 = 0,
    reason: String? = nil, begun: Bool = false
  ) throws -> SessionStory.Outcome {
    let report = try Session.WorkReport(state, reason: reason, mediaTime: .seconds(seconds), begun: begun)
    return story.apply(.work(try #require(lease), report), by: Self.worker)
  }

  private func take(_ story: inout SessionStory, _ worker: String) -> SessionStory.Outcome {
    story.apply(.take(job: "job", worker: worker), by: Self.worker)
  }

  private func job(_ story: SessionStory) throws -> Session.Job { try #require(story.session.meeting?.job) }

  @Test func `the host's order waits for a worker, and all see how it goes`() throws {
    var story = try Self.onAir()
    #expect(story.events.last == .onAir(job: "job", .waiting, reason: nil))
    #expect(take(&story, "one").events == [.onAir(job: "job", .connecting, reason: nil)])
    let lease = try job(story).holder?.lease
    #expect(try work(&story, lease, .live, begun: true).events == [.onAir(job: "job", .live, reason: nil)])
    #expect(try work(&story, lease, .live, 7).events == [])
    #expect(
      try work(&story, lease, .trouble, 8, reason: "slow").events == [
        .onAir(job: "job", .trouble, reason: "slow")
      ])
    #expect(try job(story).mediaTime == .seconds(8))
  }

  @Test func `one job at a time, and the next when it is over`() throws {
    var story = try Self.onAir()
    let next = try Session.JobOrder(id: "next", broadcast: "b2", outputs: ["rtmp://a/b"])
    #expect(story.apply(.live(next), by: "Anna").refusal == .onAirAlready)
    #expect(story.apply(.offAir, by: "Anna").events == [.onAir(job: "job", .over, reason: "offAir")])
    #expect(story.apply(.offAir, by: "Anna").events == [])
    #expect(story.apply(.live(next), by: "Anna").refusal == nil)
    #expect(take(&story, "one").refusal == .notOnAir)
  }

  @Test func `a job that a worker has is nobody else's until 4 s after its last beat`() throws {
    var story = try Self.onAir()
    #expect(take(&story, "one").refusal == nil)
    let first = try job(story).holder?.lease
    story.pass(.milliseconds(3900))
    #expect(take(&story, "two").refusal == .jobTaken)
    #expect(try work(&story, first, .live, 3, begun: true).refusal == nil)
    story.pass(.milliseconds(3900))
    #expect(take(&story, "two").refusal == .jobTaken)
    #expect(story.pass(.milliseconds(100)) == [.onAir(job: "job", .waiting, reason: "workerLost")])
    #expect(take(&story, "two").refusal == nil)
    #expect(try work(&story, first, .live, 9).refusal == .superseded)
  }

  @Test func `who takes over appends, and its gap begins at the media time last reported`() throws {
    var story = try Self.onAir()
    _ = take(&story, "one")
    #expect(try job(story).publishType == .record)
    let first = try job(story).holder?.lease
    _ = try work(&story, first, .connecting, begun: true)
    _ = try work(&story, first, .live, 30)
    // A report that was late counts nothing back.
    _ = try work(&story, first, .live, 29)
    story.pass(.seconds(4))
    _ = take(&story, "two")
    #expect(try job(story).publishType == .append)
    #expect(try job(story).mediaTime == .seconds(30))
  }

  @Test func `a worker whose lease is over takes the job again if nobody else has`() throws {
    var story = try Self.onAir()
    _ = take(&story, "one")
    let first = try job(story).holder?.lease
    story.pass(.seconds(5))
    #expect(try work(&story, first, .live).refusal == .leaseOver)
    #expect(take(&story, "one").refusal == nil)
    #expect(try work(&story, job(story).holder?.lease, .live).refusal == nil)
  }

  @Test func `the same worker may take its job again, which supersedes its older lease`() throws {
    var story = try Self.onAir()
    _ = take(&story, "one")
    let first = try job(story).holder?.lease
    #expect(take(&story, "one").refusal == nil)
    #expect(try work(&story, first, .live).refusal == .superseded)
  }

  @Test func `the taker of a frozen worker's job shows why it waits`() throws {
    var story = try Self.onAir()
    _ = take(&story, "one")
    let lease = try job(story).holder?.lease
    #expect(
      try work(&story, lease, .waiting, reason: "nameTaken").events == [
        .onAir(job: "job", .waiting, reason: "nameTaken")
      ])
    #expect(take(&story, "two").refusal == .jobTaken)
  }

  @Test func `a job that its worker gives back is anybody's at once`() throws {
    var story = try Self.onAir()
    _ = take(&story, "one")
    let lease = try #require(try job(story).holder?.lease)
    _ = try work(&story, lease, .live, 3, begun: true)
    var report = try Session.WorkReport(.waiting, reason: "workerStopped", mediaTime: .seconds(4))
    report.isReleased = true
    #expect(
      story.apply(.work(lease, report), by: Self.worker).events == [
        .onAir(job: "job", .waiting, reason: "workerStopped")
      ])
    #expect(try work(&story, lease, .live, 5).refusal == .leaseOver)
    #expect(take(&story, "two").refusal == nil)
    #expect(try job(story).publishType == .append && job(story).mediaTime == .seconds(4))
  }

  @Test func `when a worker last said how far it is, is known to whoever takes over`() throws {
    var story = try Self.onAir()
    _ = take(&story, "one")
    let lease = try job(story).holder?.lease
    #expect(try job(story).reportedAt == nil)
    _ = try work(&story, lease, .connecting, begun: true)
    story.pass(.seconds(1))
    _ = try work(&story, lease, .live, 1)
    let reportedAt = try job(story).reportedAt
    #expect(reportedAt == story.now)
    story.pass(.seconds(4))
    _ = take(&story, "two")
    #expect(try job(story).reportedAt == reportedAt)
  }

  @Test func `a worker ends a job that can't be done`() throws {
    var story = try Self.onAir()
    _ = take(&story, "one")
    let lease = try job(story).holder?.lease
    #expect(
      try work(&story, lease, .over, reason: "refused").events == [
        .onAir(job: "job", .over, reason: "refused")
      ])
    #expect(try work(&story, lease, .live).refusal == .notOnAir)
  }

  @Test func `a job outlasts time without a store`() throws {
    var story = try Self.onAir()
    _ = take(&story, "one")
    let lease = try job(story).holder?.lease
    story.loseStore(for: .seconds(420))
    #expect(story.pass(.milliseconds(3900)) == [])
    #expect(try work(&story, lease, .live, 420).refusal == nil)
  }

  @Test func `addresses are limited, and events don't show them`() throws {
    #expect(throws: Session.Refusal.self) { try Session.JobOrder(id: "1", broadcast: "b", outputs: []) }
    #expect(throws: Session.Refusal.self) {
      try Session.JobOrder(id: "1", broadcast: "b", outputs: Array(repeating: "rtmp://a/b", count: 9))
    }
    let story = try Self.onAir()
    #expect(!story.events.contains { $0.json.description.contains("rtmp") })
    #expect(story.session.stored.contains("rtmp"))
  }

  @Test func `a worker that was replaced after a new epoch is superseded`() throws {
    var story = try Self.onAir()
    _ = take(&story, "one")
    let first = try job(story).holder?.lease
    _ = try work(&story, first, .live, 3, begun: true)
    story.beginEpoch()
    // Nobody has replaced it yet.
    #expect(try work(&story, first, .live, 4).refusal == .leaseOver)
    story.pass(.seconds(4))
    #expect(take(&story, "two").refusal == nil)
    #expect(try work(&story, first, .live, 5).refusal == .superseded)
    story.beginEpoch()
    #expect(try work(&story, first, .live, 6).refusal == .superseded)
  }

  @Test func `ids are texts with a limit`() throws {
    let long = String(repeating: "x", count: 129)
    for id in ["", long, "a\u{1B}b"] {
      #expect(throws: Session.Refusal.self) {
        try Session.JobOrder(id: id, broadcast: "b", outputs: ["rtmp://a/b"])
      }
      #expect(throws: Session.Refusal.self) {
        try Session.JobOrder(id: "1", broadcast: id, outputs: ["rtmp://a/b"])
      }
      var story = try Self.onAir()
      #expect(take(&story, id).refusal?.code == "badValue")
    }
  }
}
