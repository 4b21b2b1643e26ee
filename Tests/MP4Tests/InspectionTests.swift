import HoldfastMediaModel
import TestRandomness
import TestSupport
import Testing

@testable import HoldfastMP4

@Suite struct InspectionTests {
  private func inspect(_ bytes: [UInt8]) throws -> RecordingInspection {
    try RecordingInspection(RecordingBytes(bytes))
  }

  @Test(arguments: SampleFile.Layout.allCases)
  func `a recording without its index is undamaged but needs a repair`(layout: SampleFile.Layout) throws {
    let found = try inspect(SampleFile(layout, isFinished: false).bytes)
    #expect(found.damages == [] && found.index == .none && !found.needsNoRepair)
    #expect(found.track(.video)?.end == .seconds(4) && found.track(.video)?.keyframes == 4)
  }

  @Test(arguments: SampleFile.Layout.allCases)
  func `a time that no fragment covers is a hole in each track`(layout: SampleFile.Layout) throws {
    let found = try inspect(SampleFile(layout, leap: 3).bytes)
    for kind in TrackKind.allCases {
      let hole = try #require(found.track(kind)?.holes.first)
      #expect(hole.at == .seconds(2) && hole.end == .seconds(5) && hole.length == .seconds(3))
    }
    #expect(found.damages == [] && found.index == .right(entries: 8))
  }

  @Test func `an index with a changed byte is found to be wrong`() throws {
    let file = SampleFile(.grown)
    let index = try #require(file.fragments.last?.upperBound)
    for offset in index..<file.bytes.count {
      var changed = file.bytes
      changed[offset] ^= 0x10
      let found = try inspect(changed)
      let isFound = found.index != .right(entries: 8) || found.damageCount > 0
      try #require(isFound || Self.isUnread(offset - index), "byte \(offset - index) of the index")
    }
  }

  /// Flags, and which part, run and sample an entry means, are not looked at.
  private static func isUnread(_ offset: Int) -> Bool {
    let place = (offset - 8) % 100
    let isInEntry = place >= 24 && (place - 24) % 19 >= 16
    return offset >= 208
      ? (216..<220).contains(offset) : (9..<12).contains(place) || (16..<19).contains(place) || isInEntry
  }

  @Test func `an inspection counts times that go back`() throws {
    let file = SampleFile(.plain)
    let again = Array(file.bytes[file.fragments[1]])
    let found = try inspect(Array(file.bytes[..<file.fragments[3].lowerBound] + again))
    #expect(found.track(.video)?.stepsBack == 1 && found.track(.video)?.firstStepBack == .seconds(1))
    #expect(found.damages.map(\.kind) == [.inconsistent])
  }

  @Test func `an inspection checks the segment index at the front`() throws {
    let file = SampleFile(.plain, isFinished: false)
    func segments(_ sizes: [Int]) -> [UInt8] {
      var content = Box.bytes(UInt32(0)) + Box.bytes(UInt32(1)) + Box.bytes(UInt32(90_000))
      content += Box.bytes(UInt64(0)) + Box.bytes(UInt32(sizes.count))
      for size in sizes {
        content += Box.bytes(UInt32(size)) + Box.bytes(UInt32(90_000)) + Box.bytes(UInt32(0))
      }
      return Box.make("sidx", content)
    }
    let sizes = file.fragments.map(\.count)
    for (sizes, isRight) in [
      (sizes, true), (Array(sizes.dropLast()), false), ([sizes[0] + 1] + sizes.dropFirst(), false),
    ] {
      let found = try inspect(
        Array(file.bytes[..<file.headLength]) + segments(sizes) + Array(file.bytes[file.headLength...]))
      #expect((found.segmentIndex == .right(entries: 4)) == isRight)
      #expect(found.fragments == 4 && found.damages == [])
    }
  }

  @Test func `an inspection reports a loss by track and time`() throws {
    let file = SampleFile(.plain)
    var bytes = file.bytes
    for index in file.fragments[1].prefix(100) { bytes[index] = 0xAA }
    let damage = try #require(try inspect(bytes).damages.first)
    #expect(damage.kind == .unreadable && damage.bytes == file.fragments[1])
    #expect(damage.missing.map(\.track) == [.video, .audio])
    #expect(damage.missing.allSatisfy { $0.from == .seconds(1) && $0.to == .seconds(2) && $0.samples == nil })
  }

  @Test func `a garbled picture costs the pictures that depend on it`() throws {
    let file = SampleFile(.grown)
    let hit = file.placed.filter { $0.sample.track == 1 }[14]
    var bytes = file.bytes
    for index in hit.bytes { bytes[index] = 0 }
    let damage = try #require(try inspect(bytes).damages.first)
    #expect(damage.kind == .garbled && damage.missing.count == 1)
    #expect(damage.missing.first?.from == .milliseconds(1400) && damage.missing.first?.samples == 6)
  }

  @Test func `any bytes can be inspected, and are whole after a repair`() throws {
    let file = SampleFile(.grown)
    var random = SplitMix64(seed: 3)
    for round in 0..<600 {
      var bytes = file.bytes
      for _ in 0...round % 8 {
        let start = Int.random(in: bytes.indices, using: &random)
        let end = min(bytes.count, start + Int.random(in: 1...64, using: &random))
        let piece = Array(bytes[start..<end])
        switch round % 3 {
        case 0: bytes.removeSubrange(start..<end)
        case 1: bytes.insert(contentsOf: piece, at: Int.random(in: bytes.indices, using: &random))
        case 2: bytes.replaceSubrange(start..<end, with: piece.reversed())
        case _: break
        }
      }
      guard let (repaired, found) = try? Repaired.bytes(of: bytes) else { continue }
      let again = try inspect(repaired)
      let isWhole = again.damages == [] && again.tracks.allSatisfy { $0.stepsBack == 0 }
      try #require(isWhole && again.keptSamples == found.keptSamples, "round \(round): \(again.damages)")
    }
  }
}
