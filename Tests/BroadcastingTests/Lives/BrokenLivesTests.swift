import Foundation
import HoldfastMP4
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording
import TestSupport
import Testing

@testable import HoldfastBroadcasting

/// A healthy life's recording and journal, broken on purpose.
private struct BrokenLife {
  let folder = ScratchFolder()
  let files: [String]
  /// The second of four files.
  let path: String
  var bytes: [UInt8]
  var lines: [String]

  init() throws {
    var plan = LifePlan()
    plan.segment = .duration(.seconds(6))
    plan.keepsGaps = true
    plan.length = 20_000
    plan.troubles = [(8000, .pictures(30)), (11_000, .interruption(1500))]
    let life = try Life(plan, seed: 1, in: folder.path)
    try life.run()
    files = life.files
    path = try #require(files.dropFirst().first)
    bytes = try FileDescriptor.contents(of: path, limit: 1 << 24)
    lines = life.lines
  }

  func fragments() throws -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    _ = try FragmentedFile(RecordingBytes(bytes)) { ranges.append($0.range) }
    return ranges
  }

  /// The first place of `text` in a fragment, or in the head.
  func place(of text: String, inFragment index: Int?) throws -> Int {
    let range = try index.map { try fragments()[$0] } ?? 0..<bytes.count
    let pattern = Array(text.utf8)
    return try #require(range.dropLast(4).first { bytes[$0..<$0 + 4].elementsEqual(pattern) })
  }

  mutating func replaceGap(video length: String?) throws {
    let index = try #require(lines.firstIndex { $0.contains(#""cause":"source""#) })
    guard let length else {
      lines.remove(at: index)
      return
    }
    lines[index].replace(try Regex(#""lostVideoNs":\d+"#), with: #""lostVideoNs":\#(length)"#)
  }

  /// As an earlier version wrote them, which did not say whether a slate had replaced them.
  mutating func forgetFilling() throws {
    for index in lines.indices { lines[index].replace(try Regex(#","filled":(true|false|null)"#), with: "") }
  }

  func verify() throws -> RecordingVerification {
    removeFile(path)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let journal = try folder.write(lines.joined(separator: "\n") + "\n", to: "journal.jsonl")
    return try RecordingVerification(path: path, journal: journal, marks: .off, environment: [:])
  }
}

@Suite struct BrokenLivesTests {
  @Test func `a life that nothing has broken has no defect`() throws {
    let life = try BrokenLife()
    #expect(life.files.count == 4)
    #expect(try life.verify().defects == [])
  }

  @Test func `what an earlier version journaled may have been filled by a slate`() throws {
    var life = try BrokenLife()
    try life.forgetFilling()
    #expect(try life.verify().defects == [])
    try life.replaceGap(video: "3000000000")
    #expect(try life.verify().defects == [])
    try life.replaceGap(video: "100000000")
    #expect(try life.verify().defects.map(\.kind) == [.holeWithoutGap])
  }

  enum Break: CaseIterable {
    case fragmentMissing, bytesOverwritten, sampleSizeWrong, fragmentTwice, fileDeleted, gapRemoved,
      gapTooLong
    case gapTooShort, stampsBack, middleTruncated, codecHeaderWrong, interruptionRemoved, endTruncated

    /// What the finding says, besides the file: what, and where.
    var finding: (RecordingVerification.Defect.Kind, String) {
      switch self {
      case .fragmentMissing: (.holeWithoutGap, "audio has a hole at 0:00:0")
      case .bytesOverwritten: (.damaged, "garbled samples, video from 0:00:0")
      case .sampleSizeWrong: (.damaged, "a wrong description")
      case .fragmentTwice: (.timesGoBack, "timestamps do not increase, first at 0:00:0")
      case .fileDeleted: (.fileMissing, "hall-20261121T042202Z.mp4")
      case .gapRemoved: (.holeWithoutGap, "video has a hole at 0:00:0")
      case .gapTooLong: (.gapWithoutHole, "the journal's gap at 0:00:0")
      case .gapTooShort: (.holeWithoutGap, "video has a hole at 0:00:0")
      case .stampsBack: (.timesGoBack, "do not increase, first at 0:00:0")
      case .middleTruncated: (.damaged, "bytes ")
      case .codecHeaderWrong: (.damaged, "garbled samples, video from 0:00:00.000")
      case .interruptionRemoved: (.holeWithoutGap, "audio has a hole at 0:00:0")
      case .endTruncated: (.torn, "truncated")
      }
    }
  }

  @Test(arguments: Break.allCases)
  func `each damage is named`(damage: Break) throws {
    var life = try BrokenLife()
    let fragments = try life.fragments()
    let (first, second) = (fragments[1], fragments[2])
    switch damage {
    case .fragmentMissing: life.bytes.removeSubrange(first)
    case .bytesOverwritten:
      for offset in first.upperBound - 900..<first.upperBound { life.bytes[offset] = 0xA5 }
    case .sampleSizeWrong: life.bytes[try life.place(of: "trun", inFragment: 1) + 23] ^= 0x10
    case .fragmentTwice: life.bytes.insert(contentsOf: Array(life.bytes[first]), at: first.upperBound)
    case .fileDeleted: removeFile(life.files[2])
    case .gapRemoved: try life.replaceGap(video: nil)
    case .gapTooLong: try life.replaceGap(video: "3000000000")
    case .gapTooShort: try life.replaceGap(video: "100000000")
    case .stampsBack:
      let time = try life.place(of: "tfdt", inFragment: 2) + 8
      life.bytes.replaceSubrange(time..<time + 8, with: [UInt8](repeating: 0, count: 8))
    case .middleTruncated: life.bytes.removeSubrange(second.lowerBound + 100..<second.lowerBound + 700)
    case .codecHeaderWrong: life.bytes[try life.place(of: "avcC", inFragment: nil) + 8] = 0xFD
    case .interruptionRemoved:
      life.lines.removeAll { $0.contains(#""event":"interrupted""#) || $0.contains(#""event":"resumed""#) }
    case .endTruncated: life.bytes.removeSubrange((fragments.last?.upperBound ?? 0) - 300..<life.bytes.count)
    }
    let found = try life.verify()
    let (kind, text) = damage.finding
    #expect(found.path == life.path)
    #expect(
      found.defects.contains { $0.kind == kind && $0.text.contains(text) }, "\(damage): \(found.defects)")
  }
}
