import HoldfastMediaModel
import HoldfastPostproduction
import TestSupport
import Testing

@testable import HoldfastCommands

@Suite struct AlignmentReportTests {
  private func task(_ line: String) throws(Refusal) -> ExportCommand.Task {
    try ExportCommand(line.split(separator: " ").map(String.init), environment: ["HOME": "/h"]).task
  }

  @Test func `the arguments are read into a request to align recordings`() throws {
    let line = "--align a.mp4 b.mp4 --edl e.edl --to=c.MOV --json --journal j.jsonl --journal k.jsonl"
    guard case .alignment(let report) = try task(line) else { throw TestFailure("another task") }
    let request = report.request
    #expect(request.recordings == ["a.mp4", "b.mp4"] && request.journals == ["j.jsonl", "k.jsonl"])
    #expect(report.editList == "e.edl" && report.output == "c.MOV" && report.container == .mov)
    #expect(report.asJSON && request.environment == ["HOME": "/h"])
  }

  @Test func `the arguments are read into a question about a member`() throws {
    guard case .member(let report) = try task("--member alice a.mp4 --json --journal j.jsonl") else {
      throw TestFailure("another task")
    }
    #expect([report.member, report.path, report.journal] == ["alice", "a.mp4", "j.jsonl"] && report.asJSON)
  }

  @Test(arguments: [
    "--align", "--align a.mp4 a.mp4", "--align a.mp4 --output b.mp4", "--align a.mp4 --gaps keep",
    "--align a.mp4 --to b.mp4", "--align a.mp4 --to b.mkv --edl b.mkv", "--align a.mp4 --member alice",
    "--member alice", "--member alice a.mp4 b.mp4", "--member= a.mp4", "--member alice a.mp4 --to b.mkv",
    "a.mp4 --output b.mp4 --edl c.edl", "a.mp4 --output b.mp4 --json",
    "a.mp4 --output b.mp4 --journal c --journal d", "--member alice a.mp4 --journal c --journal d",
  ]) func `what does not belong together is refused`(line: String) {
    #expect(failure { () throws(Refusal) in try task(line) }?.status == .usage, "\(line)")
  }

  @Test func `missing files and journals have the exit statuses that the help names`() throws {
    let folder = ScratchFolder()
    let none = folder.file("hall-20261121T042210Z.mp4")
    let commands = try [["--align", none], ["--member", "alice", none]].map {
      try ExportCommand($0, environment: [:])
    }
    let statuses = { commands.map { command in failure { () throws(Refusal) in try command.run() }?.status } }
    #expect(statuses() == [.notFound, .notFound])
    _ = try folder.write("no recording", to: "hall-20261121T042210Z.mp4")
    #expect(statuses() == [.damaged, .damaged])
  }
}
