import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastStores
import TestSupport
import Testing

@testable import HoldfastHub
@testable import HoldfastTokens

@Suite struct JobTests {
  private let hub: TestHub
  private let host: TestHub.Member
  private let worker: String

  init() throws {
    hub = try TestHub()
    host = try hub.join("Anna", token: hub.token(.host))
    worker = try hub.token(.worker, name: "worker")
  }

  private func waiting() throws -> [JSONValue] {
    try hub.send("GET", "/v1/jobs", token: worker)["jobs"]?.elements ?? []
  }

  /// Begins a job, and returns it once it is on the board.
  private func goOnAir() throws -> JSONValue {
    let answer = try hub.command(
      ["command": "live", "outputs": .list(["rtmp://media.example/live/the-key"])], by: host)
    #expect(answer.verdict == "200")
    #expect(try eventually { try waiting().count == 1 })
    return try #require(try waiting().first)
  }

  private func take(by id: String, of job: JSONValue) throws -> TestHub.Answer {
    try hub.command(
      ["command": "take", "job": job.field("job") ?? .null, "worker": .text(id)], token: worker)
  }

  @Test func `a job is on the board until somebody takes it, and then nobody else gets its addresses`() throws
  {
    #expect(try waiting().isEmpty)
    let job = try goOnAir()
    #expect(job.field("session") == "Hall" && !job.description.contains("the-key"))

    let taken = try take(by: "one", of: job)
    #expect(taken["job"]?.field("outputs") == .list(["rtmp://media.example/live/the-key"]))
    #expect(taken["job"]?.field("publishType") == "record")
    #expect(try eventually { try waiting().isEmpty })
    #expect(try take(by: "two", of: job).verdict == "409 jobTaken")
  }

  @Test func `who takes over a job that has begun appends from where it was`() throws {
    let job = try goOnAir()
    let lease = try take(by: "one", of: job)["job"]?.field("lease") ?? .null
    let report = try hub.command(
      ["command": "work", "lease": lease, "state": "live", "mediaTime": .number(12.5), "begun": .bool(true)],
      token: worker)
    #expect(report.verdict == "200")
    // The worker that has it takes it again, as after an answer that was lost.
    let again = try take(by: "one", of: job)["job"]
    #expect(again?.field("publishType") == "append" && again?.field("mediaTime") == .number(12.5))
    #expect(again?.field("lease") != lease)
    #expect(again?.field("reportedAgo")?.seconds.map { $0 < .seconds(60) } == true)
  }

  @Test func `a job whose worker waits for the server's name is nobody else's, one that was given back is`()
    throws
  {
    let job = try goOnAir()
    let taken = try take(by: "one", of: job)["job"]
    #expect(taken?.field("reportedAgo") == .null)
    func work(_ more: [(String, JSONValue)]) throws -> String {
      let fields = [("command", "work"), ("lease", taken?.field("lease") ?? .null)] + more
      return try hub.command(.object(fields.map { JSONValue.Field($0.0, $0.1) }), token: worker).verdict
    }
    #expect(try work([("state", "waiting"), ("reason", "nameTaken")]) == "200")
    #expect(try take(by: "two", of: job).verdict == "409 jobTaken")
    #expect(try eventually { try waiting().isEmpty })
    #expect(try work([("state", "live"), ("released", .bool(true))]) == "422 badValue")
    #expect(
      try work([("state", "waiting"), ("reason", "workerStopped"), ("released", .bool(true))]) == "200")
    #expect(try eventually { try waiting().first?.field("reason") == "workerStopped" })
    #expect(try take(by: "two", of: job).verdict == "200")
  }

  @Test func `participants don't see the board`() throws {
    let max = try hub.token(.participant, name: "Max")
    #expect(try hub.send("GET", "/v1/jobs", token: max).verdict == "403 notAllowed")
  }
}

@Suite struct JobBoardTests {
  private let board = JobBoard()
  private func at(_ seconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: seconds * 1_000_000_000) }

  @Test func `all sessions are looked at first, and again after a pause or half a minute`() {
    #expect(board.isAsked(at: at(100)) && !board.isAsked(at: at(101)) && board.isListening(at: at(110)))
    #expect(!board.isListening(at: at(112)) && board.isAsked(at: at(112)))
    for second in 113..<142 { #expect(!board.isAsked(at: at(Int64(second)))) }
    #expect(board.isAsked(at: at(142)))
  }

  @Test func `a look that failed is repeated`() {
    #expect(board.isAsked(at: at(1)))
    board.lookFailed()
    #expect(board.isAsked(at: at(2)))
  }
}
