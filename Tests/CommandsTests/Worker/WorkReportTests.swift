import HoldfastMediaModel
import HoldfastMembership
import HoldfastSession
import Testing

@testable import HoldfastCommands

@Suite struct WorkReportTests {
  private func report(_ status: JSONValue?, hasAnswered: Bool = true) -> Session.WorkReport {
    Session.WorkReport(status: status, hasAnswered: hasAnswered, start: .seconds(10))
  }

  private func status(_ state: JSONValue, outputs: [(state: JSONValue, cause: JSONValue)] = []) -> JSONValue {
    [
      "state": state, "mediaTimeMs": .integer(2500),
      "outputs": .list(outputs.map { ["state": $0.state, "cause": $0.cause] }),
    ]
  }

  @Test func `a programme that any output gets is live, from where the one before ended`() throws {
    let live = report(status("live", outputs: [("waiting", "timedOut"), ("publishing", .null)]))
    #expect(try live == Session.WorkReport(.live, mediaTime: .milliseconds(12_500)))
  }

  @Test func `where no output gets it, the reason is told`() {
    let waiting = report(status("live", outputs: [("waiting", "nameTaken"), ("waiting", "timedOut")]))
    #expect(waiting.state == .trouble && waiting.reason == "nameTaken")
    #expect(report(status("live", outputs: [("connecting", .null)])).state == .connecting)
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
    #expect(report(nil).mediaTime == .seconds(10))
  }

  @Test func `a child's configuration holds what its arguments must not`() throws {
    let lease = try #require(Session.Lease("1.2"))
    let grant = JobMachine.Grant(
      lease: lease, broadcast: "b", outputs: ["rtmp://media/live/key"], publishType: .append, mediaTime: .zero
    )
    let settings = ProgrammeChild.Settings(
      session: "https://hub/Hall", token: "@token", caFile: nil, isInsecureLAN: false, options: [],
      environment: [:])
    let file = ProgrammeChild.file("programme-x", grant, settings)
    #expect(file.field("to") == .list(["rtmp://media/live/key"]))
    #expect(file.field("video") == "stage:https://hub/Hall" && file.field("publishType") == "append")
    #expect(file.field("sessionToken") == "@token" && file.field("hubCa") == nil)
  }
}

@Suite struct ProgrammeCommandTests {
  @Test(arguments: [
    ([], "not one hub"), (["ftp://hub"], "not an https address"),
    (["https://hub", "--jobs", "0"], "not a number of jobs"),
    (["https://hub", "--token", "abc"], "@FILE or env:NAME"),
  ])
  func `wrong words are refused`(words: [String], what: String) {
    do throws(Refusal) {
      _ = try ProgrammeCommand(words, environment: [:])
      Issue.record("accepted: \(words)")
    } catch {
      #expect(error.description.contains(what), "\(error)")
    }
  }

  @Test func `what follows -- is the child's`() throws {
    _ = try ProgrammeCommand(["http://127.0.0.1:8787", "--", "--size", "640x360"], environment: [:])
  }
}
