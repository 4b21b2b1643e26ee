import Foundation
import HoldfastMP4
import HoldfastMediaModel
import HoldfastPostproduction
import HoldfastRecording
import TestSupport
import Testing

@testable import HoldfastBroadcasting

/// Many simulated broadcasts through the real recorder, each checked as `verify` does.
@Suite struct LivesTests {
  private static let count = ProcessInfo.processInfo.environment["LIVES"].flatMap(Int.init) ?? 40

  private static let first = ProcessInfo.processInfo.environment["FIRST_LIFE"].flatMap(Int.init) ?? 0

  @Test(arguments: 0..<4)
  func `no recording of a simulated life is damaged, and its gaps name what is missing`(part: Int) throws {
    for seed in stride(from: Self.first + part, to: Self.first + Self.count, by: 4) {
      let folder = ScratchFolder()
      let plan = LifePlan(seed: UInt64(seed))
      let life = try Life(plan, seed: UInt64(seed), in: folder.path)
      try life.run()
      let findings = try Self.findings(life, in: folder)
      let story = life.lines.filter { !$0.contains("checkpoint") }.joined(separator: "\n")
      try #require(findings == [], "life \(seed): \(plan)\n\(story)")
    }
  }

  @Test
  func `a file that disappears right after a cut does not keep the one before from being finished`() throws {
    let folder = ScratchFolder()
    var plan = LifePlan()
    plan.segment = .duration(.seconds(3))
    plan.troubles = [(2500, .sound(3000, .xrun)), (3200, .deletedFile)]
    let life = try Life(plan, seed: 0, in: folder.path)
    try life.run()
    #expect(try Self.findings(life, in: folder) == [])
    let first = try #require(life.files.first)
    #expect(try FragmentedFile(path: first).tail == .index)
  }

  @Test(arguments: [0, 400, 800, 1200, 1600, 2000, 3000])
  func `a file that keeps its gaps is continued at its own time, however much of its end is gone`(cut: Int)
    throws
  {
    let folder = ScratchFolder()
    var plan = LifePlan()
    plan.keepsGaps = true
    plan.troubles = [(3000, .interruption(900)), (5500, .crash(1000, cut: cut, reboots: false))]
    let life = try Life(plan, seed: 0, in: folder.path)
    try life.run()
    #expect(try Self.findings(life, in: folder) == [])
  }

  private static func findings(_ life: Life, in folder: ScratchFolder) throws -> [String] {
    let journal = try folder.write(life.lines.joined(separator: "\n") + "\n", to: "journal.jsonl")
    var findings: [String] = []
    var written: [TrackKind: Int] = [:]
    for file in life.files {
      let found = try RecordingVerification(path: file, journal: journal, marks: .off, environment: [:])
      let name = file.split(separator: "/").last ?? ""
      // A file deleted meanwhile is missing.
      let defects = found.defects.filter { $0.kind != .fileMissing || life.deleted.isEmpty }
      findings += defects.map { "\(name): \($0.text)" }
      for track in found.inspection?.tracks ?? [] {
        if let kind = track.kind { written[kind, default: 0] += track.samples }
      }
    }
    guard !life.hasCrashed, life.deleted.isEmpty else { return findings }
    for (track, offered) in life.offered where offered - (life.told[track] ?? 0) != written[track] ?? 0 {
      findings.append(
        "\(track): \(offered) offered, \(life.told[track] ?? 0) lost, \(written[track] ?? 0) written")
    }
    return findings
  }
}
