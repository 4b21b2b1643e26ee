import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastRecording

@Suite struct RetentionSweepTests {
  private let folder = ScratchFolder()
  private let elsewhere = ScratchFolder()

  private func sweep(_ retention: Retention = Retention(size: 0), keeping: [String] = []) -> [String] {
    RetentionSweep(retention, in: folder.path, of: "cam").run(keeping: keeping).deleted.map(\.name)
  }

  private var left: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  private let first = "cam-20261121T042210Z.mp4"
  private let second = "cam-20261121T042210Z-2.mp4"

  @Test func `a sweep removes the broadcaster's own recordings, and nothing else`() throws {
    let others = RetentionTests.others.filter { !$0.isEmpty }
    for name in others + [first, second] { _ = try folder.write("x", to: name) }
    #expect((Set(sweep()), left) == ([first, second], others.sorted()))
  }

  @Test func `a sweep removes neither a link nor its target`() throws {
    let target = try elsewhere.write("x", to: first)
    try FileManager.default.createSymbolicLink(atPath: folder.file(first), withDestinationPath: target)
    #expect((sweep(), left) == ([], [first]))
    #expect(fileExists(target))
  }

  @Test func `a folder named like a recording is kept`() throws {
    try createDirectory(folder.file(first))
    #expect((sweep(), left) == ([], [first]))
  }

  @Test func `recordings to keep may be given by path`() throws {
    _ = try folder.write("x", to: first)
    _ = try folder.write("x", to: second)
    #expect((sweep(keeping: [folder.file(second)]), left) == ([first], [second]))
  }

  @Test func `a recording's age counts from its last modification`() throws {
    let old = try folder.write("x", to: first)
    _ = try folder.write("x", to: second)
    let date = Date(timeIntervalSinceNow: -8 * 86_400)
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: old)
    #expect(sweep(Retention(age: .seconds(7 * 86_400))) == [first])
  }

  @Test func `an unreadable folder is reported`() {
    let outcome = RetentionSweep(Retention(size: 0), in: "/nowhere/at/all", of: "cam").run(keeping: [])
    #expect(outcome.failures.map(\.code) == [ENOENT])
  }

  @Test func `the folder is not read when everything is kept`() {
    let outcome = RetentionSweep(Retention(), in: "/nowhere/at/all", of: "cam").run(keeping: [])
    #expect(outcome == RetentionSweep.Outcome())
  }
}
