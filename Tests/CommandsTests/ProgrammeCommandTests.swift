import Foundation
import TestSupport
import Testing

@testable import HoldfastBroadcastCommands
@testable import HoldfastCommands

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
