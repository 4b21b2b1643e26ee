import HoldfastMediaModel
import TestSupport
import Testing

@testable import HoldfastMP4

/// Recovery, which takes whole fragments only, and a check, which continues after damage, read fragments alike.
@Suite struct FragmentReadingTests {
  private let head = SampleFile(.plain, fragments: 0, isFinished: false).bytes

  /// A recording of one fragment with packets of sound of one byte each, of which nothing is said one by one; offsets count
  /// from `base`, where there is one.
  private func recording(samples: Int, base: UInt64? = nil) -> [UInt8] {
    func movie(_ place: Int) -> [UInt8] {
      var about = Box.bytes(UInt32(base == nil ? 0x02_0018 : 0x19)) + Box.bytes(UInt32(2))
      about += (base.map { Box.bytes($0) } ?? []) + Box.bytes(UInt32(1024)) + Box.bytes(UInt32(1))
      let run = Box.bytes(UInt32(1)) + Box.bytes(UInt32(samples)) + Box.bytes(Int32(place))
      let part = Box.make("tfhd", about) + Box.make("tfdt", Box.bytes(UInt64(0))) + Box.make("trun", run)
      let number = Box.make("mfhd", Box.bytes(UInt32(0)) + Box.bytes(UInt32(1)))
      return Box.make("moof", number + Box.make("traf", part))
    }
    let place = movie(0).count + 8 + (base == nil ? 0 : head.count)
    return head + movie(place) + Box.make("mdat", [UInt8](repeating: 7, count: samples))
  }

  private func expectWhole(_ bytes: [UInt8], samples: Int) throws {
    let known = try FragmentedFile(RecordingBytes(bytes))
    #expect(known.fragments == 1 && known.wholeLength == bytes.count && known.tail == .nothing)
    let found = try RecordingInspection(RecordingBytes(bytes))
    #expect(found.keptSamples == samples && found.damages == [])
  }

  @Test func `a fragment may have very many samples`() throws {
    try expectWhole(recording(samples: 70_000), samples: 70_000)
  }

  @Test func `a fragment with fewer bytes than samples counts as torn`() throws {
    let bytes = Array(recording(samples: 70_000).dropLast(10_000))
    #expect(try FragmentedFile(RecordingBytes(bytes)).fragments == 0)
    #expect(try RecordingInspection(RecordingBytes(bytes)).damages.map(\.kind) == [.torn])
  }

  @Test func `sample offsets may count from a position in the file`() throws {
    try expectWhole(recording(samples: 10, base: 0), samples: 10)
  }

  /// The positions of `name` in a fragment of `file`, at most this many.
  private func places(of name: String, in file: SampleFile, fragment: Int, most: Int = .max) -> [Int] {
    file.fragments[fragment].filter { file.bytes[$0...].starts(with: name.utf8) }.prefix(most).map(\.self)
  }

  @Test func `boxes of unknown kinds in a fragment are ignored`() throws {
    let file = SampleFile(.grown)
    var bytes = file.bytes
    for index in file.fragments.indices {
      for place in places(of: "free", in: file, fragment: index) {
        bytes.replaceSubrange(place..<place + 4, with: Array("else".utf8))
      }
    }
    let found = try RecordingInspection(RecordingBytes(bytes))
    #expect(bytes != file.bytes && found.damages == [] && found.needsNoRepair)
    #expect(try Repaired.samples(of: bytes) == file.samples)
    #expect(try FragmentedFile(RecordingBytes(bytes)).fragments == 4)
  }

  @Test(arguments: ["trun", "traf"])
  func `no sample gets a wrong time when an unknown box may be a damaged one`(name: String) throws {
    let file = SampleFile(.grown)
    for place in places(of: name, in: file, fragment: 1) {
      var bytes = file.bytes
      bytes[place + 3] ^= 1
      let (repaired, found) = try Repaired.bytes(of: bytes)
      let kept = Set(try #require(try Repaired.samples(of: repaired)))
      #expect(found.damageCount == 1 && kept.count == 60 && kept.isSubset(of: file.samples))
    }
  }

  @Test func `a contradictory fragment is refused by both recovery and a check`() throws {
    let file = SampleFile(.plain)
    // One sample fewer than there are lengths of, a track twice, and two numbers.
    for (name, distance, value) in [("trun", 11, 9), ("tfhd", 11, 2), ("traf", 0, 0)]
      as [(String, Int, UInt8)]
    {
      var bytes = file.bytes
      let place = try #require(places(of: name, in: file, fragment: 1, most: 1).first)
      let change = distance > 0 ? [value] : Array("mfhd".utf8)
      bytes.replaceSubrange(place + distance..<place + distance + change.count, with: change)
      let known = try FragmentedFile(RecordingBytes(bytes))
      #expect(known.fragments == 3 && known.damages == 1)
      let found = try RecordingInspection(RecordingBytes(bytes))
      #expect(found.damages.map(\.bytes) == [file.fragments[1]] && found.keptSamples == 60)
    }
  }

  @Test func `a head that the disk cannot read is reported as unreadable`() {
    let source = RecordingBytes(size: 1000) { (_, _) throws(FragmentedFileError) in throw .unreadable("EIO") }
    #expect(throws: FragmentedFileError.unreadable("EIO")) { try FragmentedFile(source) }
    #expect(throws: FragmentedFileError.unreadable("EIO")) { try RecordingHead(source) }
  }
}
