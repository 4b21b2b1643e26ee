import Foundation
import HoldfastMP4
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastPostproduction
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
    // Earlier versions did not journal whether a slate had replaced what was lost.
    let filling = try Regex(#","filled":(true|false|null)"#)
    for index in life.lines.indices { life.lines[index].replace(filling, with: "") }
    #expect(try life.verify().defects == [])
    try life.replaceGap(video: "3000000000")
    #expect(try life.verify().defects == [])
    try life.replaceGap(video: "100000000")
    #expect(try life.verify().defects.map(\.kind) == [.holeWithoutGap])
  }

  /// What is broken, and what the finding says of it besides the file: what, and where.
  fileprivate struct Break: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let kind: RecordingVerification.Defect.Kind
    let text: String
    let damage: @Sendable (inout BrokenLife) throws -> Void

    init(
      _ title: String, _ kind: RecordingVerification.Defect.Kind, _ text: String,
      damage: @escaping @Sendable (inout BrokenLife) throws -> Void
    ) { (testDescription, self.kind, self.text, self.damage) = (title, kind, text, damage) }
  }

  @Test(arguments: [
    Break("a fragment is missing", .holeWithoutGap, "audio has a hole at 0:00:0") {
      $0.bytes.removeSubrange(try $0.fragments()[1])
    },
    Break("bytes are overwritten", .damaged, "garbled samples, video from 0:00:0") {
      let end = try $0.fragments()[1].upperBound
      for offset in end - 900..<end { $0.bytes[offset] = 0xA5 }
    },
    Break("a sample's size is wrong", .damaged, "a wrong description") {
      $0.bytes[try $0.place(of: "trun", inFragment: 1) + 23] ^= 0x10
    },
    Break("a fragment is there twice", .timesGoBack, "timestamps do not increase, first at 0:00:0") {
      let fragment = try $0.fragments()[1]
      $0.bytes.insert(contentsOf: Array($0.bytes[fragment]), at: fragment.upperBound)
    },
    Break("a file is deleted", .fileMissing, "hall-20261121T042202Z.mp4") { removeFile($0.files[2]) },
    Break("a gap is removed", .holeWithoutGap, "video has a hole at 0:00:0") {
      try $0.replaceGap(video: nil)
    },
    Break("a gap is too long", .gapWithoutHole, "the journal's gap at 0:00:0") {
      try $0.replaceGap(video: "3000000000")
    },
    Break("a gap is too short", .holeWithoutGap, "video has a hole at 0:00:0") {
      try $0.replaceGap(video: "100000000")
    },
    Break("stamps go back", .timesGoBack, "do not increase, first at 0:00:0") {
      let time = try $0.place(of: "tfdt", inFragment: 2) + 8
      $0.bytes.replaceSubrange(time..<time + 8, with: [UInt8](repeating: 0, count: 8))
    },
    Break("the middle is truncated", .damaged, "bytes ") {
      let start = try $0.fragments()[2].lowerBound
      $0.bytes.removeSubrange(start + 100..<start + 700)
    },
    Break("a codec header is wrong", .damaged, "garbled samples, video from 0:00:00.000") {
      $0.bytes[try $0.place(of: "avcC", inFragment: nil) + 8] = 0xFD
    },
    Break("an interruption is removed", .holeWithoutGap, "audio has a hole at 0:00:0") { life in
      life.lines.removeAll { $0.contains(#""event":"interrupted""#) || $0.contains(#""event":"resumed""#) }
    },
    Break("the end is truncated", .torn, "truncated") {
      $0.bytes.removeSubrange((try $0.fragments().last?.upperBound ?? 0) - 300..<$0.bytes.count)
    },
  ])
  fileprivate func `each damage is named`(broken: Break) throws {
    var life = try BrokenLife()
    try broken.damage(&life)
    let found = try life.verify()
    #expect(found.path == life.path)
    #expect(
      found.defects.contains { $0.kind == broken.kind && $0.text.contains(broken.text) }, "\(found.defects)")
  }
}
