import MediaModel
import Testing

@testable import Recording

@Suite struct RecordedSampleTests {
  private func number(_ value: Int, _ bytes: Int = 4) -> [UInt8] {
    (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  private func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    number(content.count + 8) + Array(name.utf8) + content
  }

  /// A run of samples of 10 ticks each, the first of them with its own flags.
  private func run(at offset: Int, sizes: [Int], isKeyframe: Bool = false) -> [UInt8] {
    box(
      "trun",
      number(0x205) + number(sizes.count) + number(offset)
        + number(isKeyframe ? 0x200_0000 : 0x101_0000) + sizes.flatMap { number($0) })
  }

  private func part(_ track: Int, start: Int, _ runs: [[UInt8]]) -> [UInt8] {
    let head = number(0x2_0028) + number(track) + number(10) + number(0x101_0000)
    let time = number(0x100_0000) + number(start, 8)
    return box("traf", box("tfhd", head) + box("tfdt", time) + runs.flatMap { $0 })
  }

  private func track(_ id: UInt32) -> RecordedTrack { RecordedTrack(id: id, kind: .video, timescale: 90_000) }

  private func samples(_ movie: [UInt8], of id: UInt32, end: Int = 2000) throws -> [RecordedSample] {
    try RecordedSample.samples(of: track(id), in: BoxBytes(movie[...]), at: 1000, end: end)
  }

  /// Runs of two tracks by turns, as they came, and room to grow behind them.
  private var movie: [UInt8] {
    box("mfhd", number(0) + number(7))
      + part(1, start: 500, [run(at: 200, sizes: [50, 20], isKeyframe: true), run(at: 280, sizes: [30])])
      + part(2, start: 900, [run(at: 270, sizes: [10]), run(at: 310, sizes: [7, 8, 9])])
      + box("free", [UInt8](repeating: 0, count: 100))
  }

  @Test func `samples of many runs follow each other in time, wherever they lie`() throws {
    let first = try samples(movie, of: 1)
    #expect(first.map(\.time) == [500, 510, 520])
    #expect(first.map(\.bytes) == [1200..<1250, 1250..<1270, 1280..<1310])
    #expect(first.map(\.isKeyframe) == [true, false, false])
    let second = try samples(movie, of: 2)
    #expect(second.map(\.time) == [900, 910, 920, 930])
    #expect(second.map(\.bytes) == [1270..<1280, 1310..<1317, 1317..<1325, 1325..<1334])
  }

  @Test func `a track that the fragment has nothing of has no samples there`() throws {
    #expect(try samples(movie, of: 3).isEmpty)
  }

  @Test func `samples that lie outside are a damage`() throws {
    #expect(throws: FragmentedFileError.self) { try samples(movie, of: 1, end: 1309) }
    #expect(try samples(movie, of: 1, end: 1310).count == 3)
  }

  @Test func `any cut of it is read or refused`() {
    for length in movie.indices { _ = try? samples(Array(movie.prefix(length)), of: 1) }
  }

  @Test func `more samples than there can be are refused`() {
    let run = box("trun", number(0) + number(0xFFFF_FFFF))
    #expect(throws: FragmentedFileError.self) { try samples(part(1, start: 0, [run]), of: 1) }
  }
}
