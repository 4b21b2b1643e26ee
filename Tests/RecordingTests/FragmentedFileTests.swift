import HoldfastMediaModel
import HoldfastPlatform
import TestRandomness
import TestSupport
import TestTraits
import Testing

@testable import HoldfastMP4
@testable import HoldfastRecording

@Suite struct FragmentedFileTests {
  private let folder = ScratchFolder()
  private var path: String { folder.file("a.mp4") }

  @Test func `a file of a killed process holds everything written`() throws {
    try SampleRecording.record(0..<2, to: path)
    let known = try FragmentedFile(path: path)
    // A keyframe each half second begins one.
    #expect(known.fragments == 4 && known.lastSequenceNumber == 4)
    let size = try SampleRecording.bytes(path).count
    #expect((known.tail, known.wholeLength, known.end(of: .video)) == (.nothing, size, .seconds(2)))
    let sound = try #require(known.end(of: .audio))
    #expect((sound.ticks(timescale: 48_000), known.end) == (94 * 1024, max(sound, .seconds(2))))
  }

  @Test func `a finished file has an index after its last fragment`() throws {
    try SampleRecording.record(0..<2, to: path, isFinished: true)
    let known = try FragmentedFile(path: path)
    let size = try SampleRecording.bytes(path).count
    #expect(known.tail == .index && known.wholeLength < size)
    #expect(known.end(of: .video) == .seconds(2))
  }

  @Test(arguments: 0..<15 as Range<Int64>, [100, 9000] as [Int64])
  func `a steady camera's pictures that come unsteadily keep their times`(after count: Int64, interval: Int64)
    throws
  {
    let steady = 90 + count
    let expected = (0..<steady + 15).map {
      $0 <= steady ? $0 * 3000 : steady * 3000 + ($0 - steady) * interval
    }
    let packets = expected.enumerated().map { number, time in
      SampleRecording.picture(Int64(number)).moved(to: MediaTime(ticks: time, timescale: 90_000))
    }
    try SampleRecording.write(packets, to: path, isFinished: true)
    let parts = try SampleRecording.fragments(SampleRecording.bytes(path)).flatMap(\.parts)
    #expect(parts.flatMap(\.samples).map(\.time) == expected)
  }

  @Test func `a file torn anywhere has exactly its whole samples before the tear`() throws {
    let bytes = try SampleRecording.record(0..<1.5, to: path)
    let fragments = try SampleRecording.fragments(bytes)
    let whole = try SampleRecording.known(bytes)
    #expect(fragments.count == 3)
    // The space between fragments is empty, and belongs to neither.
    var ends = [whole.headLength]
    while let end = ends.last, end < fragments[0].range.lowerBound {
      ends.append(end + (try #require(RecordingBytes(bytes).boxHead(at: end)?.length)))
    }
    ends += fragments.map(\.range.upperBound)
    let boundaries = Set(ends + fragments.map(\.range.lowerBound))
    ends += fragments.flatMap(\.parts).flatMap(\.samples).map(\.bytes.upperBound)
    ends.sort()
    let step = LongTests.count(3, long: 1)
    for length in 0..<bytes.count where length % step == 0 || ends.contains(length) {
      let torn = Array(bytes.prefix(length))
      guard length >= whole.headLength else {
        #expect(throws: FragmentedFileError.self) { try SampleRecording.known(torn) }
        continue
      }
      let known = try SampleRecording.known(torn)
      let expected = ends.last { $0 <= length }
      let tail: FragmentedFile.Tail = boundaries.contains(length) ? .nothing : .torn
      try #require(known.wholeLength == expected && known.tail == tail, "cut at \(length)")
    }
  }

  @Test func `what a repair keeps of a torn fragment is kept`() throws {
    let bytes = try SampleRecording.record(0..<1.5, to: path)
    let last = try #require(try SampleRecording.fragments(bytes).last)
    let step = LongTests.count(3, long: 1)
    for length in last.range where length % step == 0 {
      let torn = Array(bytes.prefix(length))
      try SampleRecording.write(torn, to: path)
      let known = try FragmentedFile.cutTornEnd(of: path)
      let kept = try RecordingInspection(RecordingBytes(SampleRecording.bytes(path)))
      let repaired = try RecordingInspection(RecordingBytes(torn))
      try #require(kept.keptSamples == repaired.keptSamples && kept.damages == [], "cut at \(length)")
      try #require(kept.wholeLength == known.wholeLength && kept.size == known.wholeLength)
    }
  }

  @Test func `a crash before the torn end is cut off leaves what is kept`() throws {
    let bytes = try SampleRecording.record(0..<1.5, to: path)
    let known = try SampleRecording.known(bytes.dropLast(1))
    let head = try #require(known.shorterHead)
    var written = Array(bytes.dropLast(1))
    written.replaceSubrange(head.offset..<head.offset + head.bytes.count, with: head.bytes)
    let again = try SampleRecording.known(written)
    #expect(again.wholeLength == known.wholeLength && again.ends == known.ends && again.tail == .torn)
  }

  @Test func `damage in the middle costs its fragment, and nothing after it`() throws {
    let bytes = try SampleRecording.record(0..<4, to: path)
    let fragments = try SampleRecording.fragments(bytes)
    for fragment in fragments.dropLast() {
      var damaged = bytes
      damaged.replaceSubrange(fragment.range.prefix(40), with: [UInt8](repeating: 0xA5, count: 40))
      let known = try SampleRecording.known(damaged)
      #expect(known.wholeLength == bytes.count && known.fragments == fragments.count - 1)
      #expect(known.tail == .nothing && known.damages == 1)
      try SampleRecording.write(damaged, to: path)
      try FragmentedFile.cutTornEnd(of: path)
      #expect(try SampleRecording.bytes(path) == damaged)
    }
  }

  @Test func `the end of a long recording is found without reading the rest`() throws {
    let bytes = try SampleRecording.record(0..<60, to: path, pictureSize: 3000)
    #expect(bytes.count > 4 << 20)
    let whole = try FragmentedFile(path: path)
    for torn in [0, 1, 100, 2000, 70_000] {
      let amount = Locked(0)
      let length = bytes.count - torn
      let known = try FragmentedFile(
        endOf: RecordingBytes(size: length) { count, offset in
          let piece = Array(bytes[..<length].dropFirst(offset).prefix(count))
          amount.withLock { $0 += piece.count }
          return piece
        })
      #expect(amount.withLock { $0 } < 2 << 20 && known.fragments < whole.fragments)
      let all = try SampleRecording.known(Array(bytes.prefix(length)))
      #expect((known.wholeLength, known.tail) == (all.wholeLength, all.tail))
      #expect((known.lastSequenceNumber, known.ends) == (all.lastSequenceNumber, all.ends))
    }
  }

  @Test func `the end of a track that ended long ago is found`() throws {
    let packets = SampleRecording.packets(0..<60, pictureSize: 3000).filter {
      $0.track == .video || $0.decodeTime < .seconds(2)
    }
    try SampleRecording.write(packets, to: path)
    #expect(try FragmentedFile(endOf: path) == FragmentedFile(path: path))
  }

  private static let noise: [UInt8] = {
    var random = SplitMix64(seed: 7)
    return (0..<5000).map { _ in .random(in: 0...255, using: &random) }
  }()

  @Test(arguments: [
    [UInt8](repeating: 0, count: 4096), noise,
    // A box longer than any file, one without an end, and a fragment of which no more is there.
    [0, 0, 0, 1] + Array("free".utf8) + [UInt8](repeating: 0xFF, count: 8),
    [0, 0, 0, 0] + Array("free".utf8), [0x7F, 0xFF, 0xFF, 0xFF] + Array("moof".utf8),
  ])
  func `unreadable bytes after the last fragment count as a torn end`(tail: [UInt8]) throws {
    let bytes = try SampleRecording.record(0..<1.5, to: path)
    for tail in [tail, Array(bytes[40..<400])] {
      let known = try SampleRecording.known(bytes + tail)
      #expect(known.wholeLength == bytes.count && known.tail == .torn)
    }
  }

  @Test func `changed bytes give an error or a shorter file, and nothing worse`() throws {
    let bytes = try SampleRecording.record(0..<1, to: path, isFinished: true)
    var random = SplitMix64(seed: 11)
    for round in 0..<LongTests.count(4000, long: 20_000) {
      var changed = bytes
      for _ in 0...round % 4 {
        let index = Int.random(in: changed.indices, using: &random)
        changed[index] = [0, 1, 0x7F, 0xFF, UInt8.random(in: 0...255, using: &random)][round % 5]
      }
      guard let known = try? SampleRecording.known(changed) else { continue }
      try #require(known.wholeLength <= changed.count && known.end >= .zero, "round \(round)")
    }
  }

  @Test func `a fragment that claims too many samples is refused`() throws {
    let bytes = try SampleRecording.record(0..<1, to: path)
    // The number of samples follows version and flags.
    let run = try #require(bytes.firstRange(of: Array("trun".utf8))).upperBound
    var changed = bytes
    changed.replaceSubrange(run + 4..<run + 8, with: [0xFF, 0xFF, 0xFF, 0xFF])
    let known = try SampleRecording.known(changed)
    let whole = try SampleRecording.known(bytes)
    #expect(known.fragments == whole.fragments - 1 && known.damages == 1)
  }

  @Test func `bytes that are not a fragmented MP4 are refused`() {
    for bytes in [[], [UInt8](repeating: 0, count: 100), Array("ID3 nothing of ours".utf8)] {
      #expect(throws: FragmentedFileError.self) { try SampleRecording.known(bytes) }
    }
  }

  @Test func `a torn end is cut off, and a whole file is left unchanged`() throws {
    let bytes = try SampleRecording.record(0..<1, to: path)
    try SampleRecording.write(bytes + bytes.suffix(99), to: path)
    #expect(try FragmentedFile.cutTornEnd(of: path).tail == .torn)
    #expect(try SampleRecording.bytes(path) == bytes)
    #expect(try FragmentedFile.cutTornEnd(of: path).tail == .nothing)
    #expect(try SampleRecording.bytes(path) == bytes)
  }
}
