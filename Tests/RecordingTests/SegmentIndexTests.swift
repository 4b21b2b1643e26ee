import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastMP4
@testable import HoldfastRecording

/// The seek index in a recording, one `sidx` a track.
@Suite struct SegmentIndexTests {
  private let folder = ScratchFolder()
  private var path: String { folder.file("a.mp4") }

  /// Each `sidx` of the file: its track, and the offset and time of each entry.
  private func segmentIndexes(_ bytes: [UInt8]) throws -> [UInt32: [SeekIndex.Position]] {
    var result: [UInt32: [SeekIndex.Position]] = [:]
    var offset = try SampleRecording.known(bytes).headLength
    while true {
      var rest = BoxReader(bytes[offset...])
      let head = try BoxHead(&rest)
      let end = offset + (try #require(head.length))
      guard head.type != "moof" else { return result }
      defer { offset = end }
      guard head.type == "sidx" else { continue }
      try rest.skip(4)
      let track = try rest.uint32()
      try rest.skip(4)
      var place = SeekIndex.Position(offset: 0, time: Int64(try rest.number(bytes: 8)))
      place.offset = end + Int(try rest.number(bytes: 8))
      for _ in 0..<Int(try rest.uint32()) {
        result[track, default: []].append(place)
        place.offset += Int(try rest.uint32())
        place.time += Int64(try rest.uint32())
        try rest.skip(4)
      }
    }
  }

  private func expectRightIndexes() throws {
    let bytes = try SampleRecording.bytes(path)
    let fragments = try SampleRecording.fragments(bytes)
    let indexes = try segmentIndexes(bytes)
    #expect(indexes.keys.sorted() == [1, 2])
    for (track, places) in indexes {
      #expect(!places.isEmpty)
      for place in places {
        let fragment = try #require(fragments.first { $0.range.lowerBound == place.offset })
        #expect(fragment.parts.first { $0.track == 1 }?.samples.first?.isKeyframe == true)
        if let part = fragment.parts.first(where: { $0.track == track }) { #expect(part.start == place.time) }
      }
    }
  }

  @Test func `each track of a finished file has an index of its fragments' times`() throws {
    try SampleRecording.record(0..<7, to: path, isFinished: true)
    try expectRightIndexes()
    #expect(try segmentIndexes(SampleRecording.bytes(path))[1]?.count == 14)
  }

  @Test func `keyframes begin fragments even after one out of turn`() throws {
    let packets = (0..<600).map { number in
      SampleRecording.picture(number % 60 == 2 || number == 0 ? 0 : 1)
        .moved(to: MediaTime(ticks: number * 3000, timescale: 90_000))
    }
    try SampleRecording.write(packets, to: path, tracks: [SampleRecording.video], isFinished: true)
    let known = try FragmentedFile(path: path)
    // The first keyframe's fragment takes the second one in.
    let segments = try segmentIndexes(SampleRecording.bytes(path))[1]?.count
    #expect(known.fragments >= 10 && segments == 10)
  }

  @Test(arguments: [false, true])
  func `a continuation after a crash or a clean end completes the indexes`(isFinished: Bool) throws {
    let packets = SampleRecording.packets(0..<30)
    try SampleRecording.write(
      packets.filter { $0.decodeTime < .seconds(20) }, to: path, isFinished: isFinished)
    try SampleRecording.append(packets, to: path)
    try expectRightIndexes()
  }

  @Test func `an index whose reserved space holds nonsense is rebuilt`() throws {
    try SampleRecording.record(0..<5, to: path)
    let known = try FragmentedFile(path: path)
    // The length of the first segment.
    let file = try FileDescriptor.openForUpdating(path)
    try file.write([0, 0, 0, 99], at: known.headLength + 40)
    _ = try FragmentedFile.finish(path)
    try expectRightIndexes()
  }
}
