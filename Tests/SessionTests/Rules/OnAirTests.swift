import HoldfastMediaModel
import Testing

@testable import HoldfastSession

@Suite final class OnAirTests {
  private static let worker = Session.Caller.token(Session.Credential(.worker, token: "worker"))

  private var story = SessionStory.busy

  init() throws {
    story.apply(try story.sample(.live), by: "Anna")
  }

  private func work(
    _ lease: Session.Lease?, _ state: Session.Job.State, _ seconds: Int64 = 0,
    reason: String? = nil, begun: Bool = false
  ) throws -> SessionStory.Outcome {
    let report = try Session.WorkReport(state, reason: reason, mediaTime: .seconds(seconds), begun: begun)
    return story.apply(.work(try #require(lease), report), by: Self.worker)
  }

  private func take(_ worker: String) -> SessionStory.Outcome {
    story.apply(.take(job: "job", worker: worker), by: Self.worker)
  }

  /// The lease of the worker, which takes the job.
  private func taken(by worker: String) throws -> Session.Lease? {
    _ = take(worker)
    return try job().holder?.lease
  }

  /// What all see of the job.
  private func told(_ state: Session.Job.State, _ reason: String? = nil) -> [Session.Event] {
    [.onAir(job: "job", state, reason: reason)]
  }

  private func job() throws -> Session.Job { try #require(story.session.meeting?.job) }

  @Test func `the host's order waits for a worker, and all see how it goes`() throws {
    #expect(story.events.last == .onAir(job: "job", .waiting, reason: nil))
    #expect(take("one").events == told(.connecting))
    let lease = try job().holder?.lease
    #expect(try work(lease, .live, begun: true).events == told(.live))
    #expect(try work(lease, .live, 7).events == [])
    #expect(try work(lease, .trouble, 8, reason: "slow").events == told(.trouble, "slow"))
    #expect(try job().mediaTime == .seconds(8))
  }

  @Test func `one job at a time, and the next when it is over`() throws {
    let next = try Session.JobOrder(id: "next", broadcast: "b2", outputs: ["rtmp://a/b"])
    #expect(story.apply(.live(next), by: "Anna").refusal == .onAirAlready)
    #expect(story.apply(.offAir, by: "Anna").events == told(.over, "offAir"))
    #expect(story.apply(.offAir, by: "Anna").events == [])
    #expect(story.apply(.live(next), by: "Anna").refusal == nil)
    #expect(take("one").refusal == .notOnAir)
  }

  @Test func `a job that a worker has is nobody else's until 4 s after its last beat`() throws {
    #expect(take("one").refusal == nil)
    let first = try job().holder?.lease
    story.pass(.milliseconds(3900))
    #expect(take("two").refusal == .jobTaken)
    #expect(try work(first, .live, 3, begun: true).refusal == nil)
    story.pass(.milliseconds(3900))
    #expect(take("two").refusal == .jobTaken)
    #expect(story.pass(.milliseconds(100)) == told(.waiting, "workerLost"))
    #expect(take("two").refusal == nil)
    #expect(try work(first, .live, 9).refusal == .superseded)
  }

  @Test func `who takes over appends, and its gap begins at the media time last reported`() throws {
    let first = try taken(by: "one")
    #expect(try job().publishType == .record)
    _ = try work(first, .connecting, begun: true)
    _ = try work(first, .live, 30)
    // A report that was late counts nothing back.
    _ = try work(first, .live, 29)
    story.pass(.seconds(4))
    _ = take("two")
    #expect(try job().publishType == .append)
    #expect(try job().mediaTime == .seconds(30))
  }

  @Test func `a worker whose lease is over takes the job again if nobody else has`() throws {
    let first = try taken(by: "one")
    story.pass(.seconds(5))
    #expect(try work(first, .live).refusal == .leaseOver)
    #expect(take("one").refusal == nil)
    #expect(try work(job().holder?.lease, .live).refusal == nil)
  }

  @Test func `the same worker may take its job again, which supersedes its older lease`() throws {
    let first = try taken(by: "one")
    #expect(take("one").refusal == nil)
    #expect(try work(first, .live).refusal == .superseded)
  }

  @Test func `the taker of a frozen worker's job shows why it waits`() throws {
    let lease = try taken(by: "one")
    #expect(try work(lease, .waiting, reason: "nameTaken").events == told(.waiting, "nameTaken"))
    #expect(take("two").refusal == .jobTaken)
  }

  @Test func `a job that its worker gives back is anybody's at once`() throws {
    let lease = try #require(try taken(by: "one"))
    _ = try work(lease, .live, 3, begun: true)
    var report = try Session.WorkReport(.waiting, reason: "workerStopped", mediaTime: .seconds(4))
    report.isReleased = true
    #expect(story.apply(.work(lease, report), by: Self.worker).events == told(.waiting, "workerStopped"))
    #expect(try work(lease, .live, 5).refusal == .leaseOver)
    #expect(take("two").refusal == nil)
    #expect(try job().publishType == .append && job().mediaTime == .seconds(4))
  }

  @Test func `when a worker last said how far it is, is known to whoever takes over`() throws {
    let lease = try taken(by: "one")
    #expect(try job().reportedAt == nil)
    _ = try work(lease, .connecting, begun: true)
    story.pass(.seconds(1))
    _ = try work(lease, .live, 1)
    let reportedAt = try job().reportedAt
    #expect(reportedAt == story.now)
    story.pass(.seconds(4))
    _ = take("two")
    #expect(try job().reportedAt == reportedAt)
  }

  @Test func `a worker ends a job that can't be done`() throws {
    let lease = try taken(by: "one")
    #expect(try work(lease, .over, reason: "refused").events == told(.over, "refused"))
    #expect(try work(lease, .live).refusal == .notOnAir)
  }

  @Test func `a job outlasts time without a store`() throws {
    let lease = try taken(by: "one")
    story.loseStore(for: .seconds(420))
    #expect(story.pass(.milliseconds(3900)) == [])
    #expect(try work(lease, .live, 420).refusal == nil)
  }

  @Test func `addresses are limited, and events don't show them`() throws {
    #expect(throws: Session.Refusal.self) { try Session.JobOrder(id: "1", broadcast: "b", outputs: []) }
    #expect(throws: Session.Refusal.self) {
      try Session.JobOrder(id: "1", broadcast: "b", outputs: Array(repeating: "rtmp://a/b", count: 9))
    }
    #expect(!story.events.contains { $0.json.description.contains("rtmp") })
    #expect(story.session.stored.contains("rtmp"))
  }

  @Test func `a worker that was replaced after a new epoch is superseded`() throws {
    let first = try taken(by: "one")
    _ = try work(first, .live, 3, begun: true)
    story.beginEpoch()
    // Nobody has replaced it yet.
    #expect(try work(first, .live, 4).refusal == .leaseOver)
    story.pass(.seconds(4))
    #expect(take("two").refusal == nil)
    #expect(try work(first, .live, 5).refusal == .superseded)
    story.beginEpoch()
    #expect(try work(first, .live, 6).refusal == .superseded)
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
      #expect(take(id).refusal?.code == "badValue")
    }
  }
}
