import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

@testable import HoldfastMP4
@testable import HoldfastRecording

/// What is on the disk while a recording is written: after each packet, and in the middle of one.
@Suite struct GrowingFileTests {
  private let folder = ScratchFolder()
  private var path: String { folder.file("a.mp4") }

  /// Decode time, place and size of each sample of the file, by track.
  private func samples(_ bytes: [UInt8]) throws -> [UInt32: [Fragment.Sample]] {
    try SampleRecording.fragments(bytes).flatMap(\.parts).reduce(into: [:]) {
      $0[$1.track, default: []] += $1.samples
    }
  }

  @Test func `each packet and all before it can be read as soon as it is written`() throws {
    var writer = try FragmentWriter(path: path, tracks: SampleRecording.tracks, expected: .seconds(4))
    var written: [MediaPacket] = []
    for packet in SampleRecording.packets(0..<2.5) {
      try writer.write(packet)
      written.append(packet)
      let bytes = try SampleRecording.bytes(path)
      let found = try samples(bytes)
      for (id, kind) in [(1, TrackKind.video), (2, .audio)] as [(UInt32, TrackKind)] {
        let expected = written.filter { $0.track == kind }
        #expect((found[id] ?? []).map(\.time) == expected.map(SampleRecording.ticks))
        #expect((found[id] ?? []).map { Array(bytes[$0.bytes]) } == expected.map(\.bytes))
      }
    }
  }

  @Test(arguments: [1, 500, 4000, 20_000])
  func `the changing part of a fragment's head never crosses a page boundary`(pictureSize: Int) throws {
    let bytes = try SampleRecording.record(
      0..<12, to: path, pictureSize: max(4, pictureSize), isFinished: true)
    let offsets = try SampleRecording.fragments(bytes).map(\.range.lowerBound)
    #expect(offsets.count >= 12)
    for offset in offsets {
      var rest = BoxReader(bytes[offset...])
      let end = offset + (try #require(try BoxHead(&rest).length)) + 8
      // A free box at the front never changes.
      let first = try BoxHead(&rest)
      let start = offset + 8 + (first.type == "free" ? try #require(first.length) : 0)
      #expect(start / 4096 == (end - 1) / 4096)
    }
  }

  private func writePictures(at ticks: [Int64], isKeyframe: (Int) -> Bool) throws {
    let packets = ticks.enumerated().map { number, tick in
      SampleRecording.picture(Int64(number), isKeyframe: isKeyframe(number))
        .moved(to: MediaTime(ticks: tick, timescale: 90_000))
    }
    try SampleRecording.write(packets, to: path, tracks: [SampleRecording.video], isFinished: true)
  }

  private static let unsteady: [Int64] = (0..<300).map { number in
    let jitter: [Int64] = [0, 400, -300, 1200, -1100, 50, 7]
    return Int64(number) * 3000 + (number == 0 ? 0 : jitter[number % 7])
  }

  private static let withHoles: [[Int64]] = [1, 14, 15, 16, 17, 29, 30, 31].map { hole in
    (0..<100).map { Int64($0) * 3000 + ($0 >= hole ? 123_456 : 0) }
  }

  @Test(arguments: [unsteady] + withHoles)
  func `times are kept for an unsteady camera and after a hole in any place`(ticks: [Int64]) throws {
    try writePictures(at: ticks) { $0 == 0 }
    #expect(try SampleRecording.times(path) == ticks)
  }

  @Test func `pictures with unsteady times get their true durations`() throws {
    let times: [Int64] = [0, 3100, 5900, 9000, 90_000, 93_000, 96_001, 99_000]
    try writePictures(at: times) { $0 % 4 == 0 }
    let found = try #require(try samples(SampleRecording.bytes(path))[1])
    #expect(found.map(\.time) == times)
    #expect(zip(found, found.dropFirst()).allSatisfy { $0.end == $1.time })
  }

  @Test func `a packet whose time goes back is written after the previous one`() throws {
    let packets = [0, 1, 2, 2, 1, 3].map { SampleRecording.picture($0) }
    try SampleRecording.write(packets, to: path, tracks: [SampleRecording.video], isFinished: true)
    let times = try #require(try samples(SampleRecording.bytes(path))[1]).map(\.time)
    #expect(times.count == 6 && zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func `a short fragment does not make the following ones short`() throws {
    var writer = try FragmentWriter(path: path, tracks: SampleRecording.tracks)
    // One packet of sound comes before the first picture.
    try writer.write(SampleRecording.sound(0))
    for packet in SampleRecording.packets(0.001..<20, pictureSize: 300) { try writer.write(packet) }
    try writer.finish()
    let known = try FragmentedFile(path: path)
    #expect(known.fragments <= 42)
  }

  @Test func `damage costs its fragment alone, however the next one begins`() throws {
    let bytes = try SampleRecording.record(0..<12, to: path, pictureSize: 500)
    let fragments = try SampleRecording.fragments(bytes).map(\.range)
    for (fragment, next) in zip(fragments, fragments.dropFirst()) {
      var damaged = bytes
      for index in fragment.prefix(16) { damaged[index] = 0xA5 }
      let found = try RecordingInspection(RecordingBytes(damaged))
      #expect(found.damages.map(\.bytes.upperBound) == [next.lowerBound])
    }
  }

  @Test func `ffprobe opens the file wherever the process was killed`() throws {
    let source = folder.file("source.mp4")
    try Tool.run([
      "ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x64:rate=30", "-f", "lavfi",
      "-i", "sine", "-t", "2", "-c:v", "libx264", "-bf", "0", "-g", "15", "-c:a", "aac", source,
    ])
    let encoded = try EncodedFile(source)
    let packets = encoded.packets.filter { $0.decodeTime >= .zero }
    try SampleRecording.write(packets.dropLast(), to: path, tracks: encoded.tracks)
    let before = try SampleRecording.bytes(path)
    // Bytes that nothing refers to yet, as between the two writes of a packet; also those of a new fragment.
    let last = try #require(packets.last)
    for behind in [last.bytes, Array(last.bytes.prefix(3)), [UInt8](repeating: 0, count: 2500) + last.bytes] {
      let killed = folder.file("killed.mp4")
      try SampleRecording.write(before + behind, to: killed)
      let counts = try Tool.probe(killed, "stream=nb_read_packets", options: ["-count_packets"])
      #expect(counts.joined().compactMap { Int($0) }.reduce(0, +) == packets.count - 1, "\(counts)")
    }
  }

  @Test func `a repair keeps each complete sample, wherever the file is cut`() throws {
    let bytes = try SampleRecording.record(0..<2, to: path)
    let all = try samples(bytes)
    let offsets = try SampleRecording.fragments(bytes).map(\.range.lowerBound)
    let lastTwo = offsets.suffix(2)
    let step = LongTests.count(3, long: 1)
    for length in stride(from: try #require(lastTwo.first), through: bytes.count, by: step) {
      let repaired = try RepairedRecording.bytes(of: RecordingBytes(Array(bytes.prefix(length)))).bytes
      let kept = try samples(repaired)
      for (id, samples) in all {
        let expected = samples.filter { sample in
          // After a cut description nobody knows what the bytes are.
          let fragment = offsets.last { $0 < sample.bytes.lowerBound } ?? 0
          let described = fragment + (RecordingBytes(bytes).boxHead(at: fragment)?.length ?? 0) + 8
          return sample.bytes.upperBound <= length && described <= length
        }
        let times = (kept[id] ?? []).map(\.time)
        try #require(times == expected.map(\.time), "cut at \(length) of \(bytes.count), track \(id)")
      }
    }
  }
}
