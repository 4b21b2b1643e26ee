import HoldfastMediaModel
import HoldfastPostproduction
import TestSupport
import Testing

@testable import HoldfastCommands

@Suite struct ExportCommandTests {
  private func refusal(_ arguments: [String]) -> Refusal? {
    failure { () throws(Refusal) in try ExportCommand(arguments, environment: [:]).run() }
  }

  @Test func `the arguments are read into an export request`() throws {
    let line = "a.mp4 --gaps keep b.mp4 --output=c.MKV --chapters off --captions c.vtt --journal j.jsonl"
    let words = line.split(separator: " ").map(String.init)
    guard case .file(let export) = try ExportCommand(words, environment: ["HOME": "/h"]).task else {
      throw TestFailure("another task")
    }
    let request = export.request
    #expect(request.parts == ["a.mp4", "b.mp4"] && request.container == .mkv)
    #expect([request.output, request.captions, request.journal] == ["c.MKV", "c.vtt", "j.jsonl"])
    #expect(request.gaps == .keep && !request.hasChapters && request.environment == ["HOME": "/h"])
  }

  @Test func `a missing, a foreign and an identical file each have their own exit status`() throws {
    let folder = ScratchFolder()
    let (none, output) = (folder.file("none.mp4"), folder.file("out.mp4"))
    let foreign = try folder.write("no recording", to: "a.mp4")
    let cases = [(none, output), (foreign, output), (foreign, foreign)]
    #expect(cases.map { refusal([$0, "--output", $1])?.status } == [.notFound, .damaged, .usage])
    #expect(folder.recordings == [foreign])
  }

  @Test func `progress is shown as a time and in percent`() {
    #expect(ExportConsole.line(.seconds(754), of: .seconds(3600)) == "exporting: 0:12:34 of 1:00:00, 20 %")
    #expect(ExportConsole.line(.seconds(2), of: .zero).hasSuffix("100 %"))
  }
}
