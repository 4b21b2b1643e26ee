import HoldfastMediaModel
import TestRandomness
import TestSupport
import TestTraits
import Testing

@testable import HoldfastMP4

@Suite struct RepairTests {
  @Test(arguments: SampleFile.Layout.allCases) func `a finished recording needs no repair`(
    layout: SampleFile.Layout
  ) throws {
    let file = SampleFile(layout)
    let (bytes, inspection) = try Repaired.bytes(of: file.bytes)
    #expect(inspection.needsNoRepair && inspection.damages == [] && inspection.fragments == 4)
    #expect(inspection.index == .right(entries: 8))
    #expect(inspection.tracks.allSatisfy { $0.samples == 40 && $0.holes == [] && $0.stepsBack == 0 })
    #expect(try Repaired.samples(of: bytes) == file.samples)
  }

  /// The samples left of a recording that ends at `length`.
  private func left(of file: SampleFile, at length: Int) -> [SampleFile.Sample] {
    file.placed.filter { $0.describedUntil <= length && $0.bytes.upperBound <= length }.map(\.sample)
  }

  @Test(arguments: SampleFile.Layout.allCases)
  func `a repair keeps each whole sample, wherever the last two fragments are cut`(layout: SampleFile.Layout)
    throws
  {
    let file = SampleFile(layout)
    for length in file.fragments[2].lowerBound..<file.bytes.count {
      let (bytes, inspection) = try Repaired.bytes(of: Array(file.bytes.prefix(length)))
      let samples = try Repaired.samples(of: bytes)
      try #require(samples == left(of: file, at: length) && !inspection.needsNoRepair, "cut at \(length)")
    }
  }

  @Test(arguments: SampleFile.Layout.allCases) func `each whole sample is kept at thousands of random cuts`(
    layout: SampleFile.Layout
  ) throws {
    let file = SampleFile(layout, fragments: 2)
    var random = SplitMix64(seed: 17)
    for _ in 0..<LongTests.count(500, long: 5000) {
      let length = Int.random(in: file.headLength...file.bytes.count, using: &random)
      let (bytes, _) = try Repaired.bytes(of: Array(file.bytes.prefix(length)))
      try #require(try Repaired.samples(of: bytes) == left(of: file, at: length), "cut at \(length)")
    }
  }

  @Test(arguments: SampleFile.Layout.allCases)
  func `garbage costs a repaired file only the fragments that it hits`(layout: SampleFile.Layout) throws {
    let file = SampleFile(layout)
    var random = SplitMix64(seed: 5)
    for _ in 0..<400 {
      let start = Int.random(in: file.headLength..<file.bytes.count, using: &random)
      let end = min(file.bytes.count, start + Int.random(in: 1...700, using: &random))
      var damaged = file.bytes
      for index in start..<end { damaged[index] = UInt8.random(in: 0...255, using: &random) }
      let whole = file.fragments.filter { $0.upperBound <= start || $0.lowerBound >= end }
      let expected = file.placed.filter { placed in whole.contains { $0.contains(placed.bytes.lowerBound) } }
      try requireRepair(of: damaged, keeps: expected, "\(start)..<\(end)")
    }
  }

  /// The repaired recording has all that is expected and nothing that is to be repaired, and its times go forward.
  private func requireRepair(
    of damaged: [UInt8], keeps expected: [SampleFile.Placed], _ what: String
  ) throws {
    let (bytes, inspection) = try Repaired.bytes(of: damaged)
    let kept = Set(try #require(try Repaired.samples(of: bytes), "\(what)"))
    let again = try RecordingInspection(RecordingBytes(bytes))
    let isSound = again.damages == [] && again.tracks.allSatisfy { $0.stepsBack == 0 }
    try #require(isSound && kept.isSuperset(of: expected.map(\.sample)), "\(what): \(inspection.damages)")
  }

  @Test(arguments: SampleFile.Layout.allCases)
  func `a wrong bit costs a repaired recording no more than its fragment`(layout: SampleFile.Layout) throws {
    let file = SampleFile(layout)
    for index in stride(from: file.headLength, to: file.bytes.count, by: LongTests.count(21, long: 7)) {
      var damaged = file.bytes
      damaged[index] ^= 1 << (index % 8)
      let hit = file.fragments.first { $0.contains(index) }
      let expected = file.placed.filter { hit?.contains($0.bytes.lowerBound) != true }
      try requireRepair(of: damaged, keeps: expected, "bit \(index % 8) of \(index)")
    }
  }

  /// Where the time of the first track is in a fragment: after the heads of `moof` and `traf`, `mfhd` and `tfhd`.
  private static let timePlace = 8 + 16 + 8 + 16 + 12

  @Test(arguments: [0, 1, 2, 3], [1, 3, 5, 7])
  func `a fragment's wrong time is corrected from its neighbours, and costs nothing`(
    fragment: Int, byte: Int
  ) throws {
    let file = SampleFile(.grown)
    var damaged = file.bytes
    damaged[file.fragments[fragment].lowerBound + Self.timePlace + byte] ^= 0x40
    let (bytes, inspection) = try Repaired.bytes(of: damaged)
    // A time that nothing follows, or slightly later, may be intended; the other track reveals a leap.
    guard !(fragment == 3 && byte > 3), byte < 7 else { return }
    #expect(try Repaired.samples(of: bytes) == file.samples, "\(inspection.damages)")
    #expect(inspection.lostSamples == 0)
  }

  @Test(arguments: [1, 2])
  func `a fragment's time before the previous fragment is corrected`(fragment: Int) throws {
    let file = SampleFile(.plain)
    var damaged = file.bytes
    damaged[file.fragments[fragment].lowerBound + Self.timePlace + 5] = 0
    #expect(try Repaired.samples(of: Repaired.bytes(of: damaged).bytes) == file.samples)
  }

  @Test func `a fragment is found wherever it begins after long damage`() throws {
    let file = SampleFile(.plain, fragments: 1, isFinished: false)
    let (head, rest) = (file.bytes[..<file.headLength], file.bytes[file.headLength...])
    for length in (1 << 18) - 9...(1 << 18) + 2 {
      let (bytes, _) = try Repaired.bytes(of: head + [UInt8](repeating: 0x11, count: length) + rest)
      #expect(try Repaired.samples(of: bytes) == file.samples, "\(length)")
    }
  }
}
