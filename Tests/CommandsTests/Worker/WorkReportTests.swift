import Foundation
import HoldfastMediaModel
import HoldfastMembership
import HoldfastSession
import TestSupport
import Testing

@testable import HoldfastCommands

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
    let refusal = #expect(throws: Refusal.self) { try ProgrammeCommand(words, environment: [:]) }
    #expect(refusal?.description.contains(what) == true, "\(words)")
  }

  @Test func `a token that every user can read is refused before any work`() throws {
    let folder = ScratchFolder()
    let path = folder.file("token")
    try Data("a.b.c".utf8).write(to: URL(fileURLWithPath: path))
    chmod(path, 0o644)
    let command = try ProgrammeCommand(["http://127.0.0.1:8787", "--token", "@\(path)"], environment: [:])
    let refusal = #expect(throws: Refusal.self) { try command.run() }
    #expect(refusal?.description.contains("open to all users") == true)
  }

  @Test func `what follows -- is the child's`() throws {
    _ = try ProgrammeCommand(["http://127.0.0.1:8787", "--", "--size", "640x360"], environment: [:])
  }
}
