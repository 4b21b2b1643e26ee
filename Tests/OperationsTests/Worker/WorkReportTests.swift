import HoldfastHTTP
import HoldfastMediaModel
import HoldfastSession
import Testing

@testable import HoldfastOperations

@Suite struct WorkReportTests {
  private func report(_ status: JSONValue?, hasAnswered: Bool = true) -> Session.WorkReport {
    Session.WorkReport(status: status, hasAnswered: hasAnswered)
  }

  private func status(_ state: JSONValue, outputs: [(state: JSONValue, cause: JSONValue)] = []) -> JSONValue {
    [
      "state": state, "mediaTimeMs": .integer(2500),
      "outputs": .list(outputs.map { ["state": $0.state, "cause": $0.cause] }),
    ]
  }

  @Test func `a programme that any output gets is live`() throws {
    let live = report(status("live", outputs: [("waiting", "timedOut"), ("publishing", .null)]))
    #expect(try live == Session.WorkReport(.live, mediaTime: .milliseconds(2500)))
  }

  @Test func `where no output gets it, the reason is told`() {
    let waiting = report(status("live", outputs: [("waiting", "timedOut"), ("waiting", "nameTaken")]))
    #expect(waiting.state == .trouble && waiting.reason == "timedOut")
    #expect(report(status("live", outputs: [("connecting", .null)])).state == .connecting)
  }

  @Test func `whoever takes over waits for a name that a frozen worker still has`() {
    let waiting = report(status("live", outputs: [("waiting", "nameTaken")]))
    #expect(waiting.state == .waiting && waiting.reason == "nameTaken" && !waiting.isReleased)
  }

  @Test func `a broadcast that another process began connects until it goes on`() {
    #expect(report(["state": "interrupted", "cause": "crash"]).state == .connecting)
    #expect(report(["state": "interrupted", "cause": "user"]).state == .trouble)
  }

  @Test(
    arguments: [
      ("starting", Session.Job.State.connecting, nil), ("idle", .connecting, nil),
      ("interrupted", .trouble, "interrupted"), ("ended", .trouble, "ending"),
    ] as [(String, Session.Job.State, String?)])
  func `the state of the broadcast is that of the job`(
    text: String, state: Session.Job.State, reason: String?
  ) {
    let report = report(status(.text(text)))
    #expect(report.state == state && report.reason == reason)
  }

  @Test func `a process that doesn't answer connects at first, and is in trouble later`() {
    #expect(report(nil, hasAnswered: false).state == .connecting)
    #expect(report(nil).state == .trouble && report(nil).reason == "notAnswering")
  }

  @Test func `a child's configuration holds what its arguments must not`() throws {
    let lease = try #require(Session.Lease("1.2"))
    let grant = JobMachine.Grant(
      lease: lease, broadcast: "b", outputs: ["rtmp://media/live/key"], publishType: .append, mediaTime: .zero
    )
    let settings = ProgrammeChild.Settings(
      hub: try HTTPOrigin("https://hub"), token: "@token", caFile: nil, options: [], environment: [:])
    let job = WorkerHub.WaitingJob(session: "Hall", id: "x")
    let file = ProgrammeChild.file(job, grant, settings)
    #expect(file.field("to") == .list(["rtmp://media/live/key"]))
    #expect(file.field("video") == "stage:https://hub/Hall" && file.field("publishType") == "append")
    #expect(file.field("sessionToken") == "@token" && file.field("hubCa") == nil)
  }
}
