import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastMP4
@testable import HoldfastRecording

/// Power cuts that tear the head of the fragment that is being written.
@Suite struct HeadCopiesTests {
  private let folder = ScratchFolder()
  private var path: String { folder.file("hall-20261121T042210Z.mp4") }
  private static let sector = 512

  /// Pictures and sound of a single fragment.
  private func packets(_ seconds: Range<Double>) -> [MediaPacket] {
    SampleRecording.packets(seconds).map { packet in
      MediaPacket(
        track: packet.track, decodeTime: packet.decodeTime, presentationTime: packet.presentationTime,
        duration: packet.duration, isKeyframe: packet.track == .audio || packet.decodeTime == .zero,
        bytes: packet.bytes)
    }
  }

  private typealias States = (synchronized: [UInt8], latest: [UInt8])

  /// The file at its sync after 0.6 s, and after 0.9 s.
  private func states() throws -> States {
    var writer = try FragmentWriter(path: path, tracks: SampleRecording.tracks, expected: .seconds(4))
    // An earlier copy must not win.
    for packet in packets(0..<0.3) { try writer.write(packet) }
    _ = try writer.prepareSync()
    for packet in packets(0.3..<0.6) { try writer.write(packet) }
    _ = try writer.prepareSync()
    let synchronized = try SampleRecording.bytes(path)
    for packet in packets(0.6..<0.9) { try writer.write(packet) }
    return (synchronized, try SampleRecording.bytes(path))
  }

  /// The latest state in which the chosen sectors of the head are as they were when synchronized.
  private func torn(_ states: States, _ head: Range<Int>, sectors choice: Int) -> [UInt8] {
    var bytes = states.latest
    for place in head where choice >> (place / Self.sector - head.lowerBound / Self.sector) & 1 == 1 {
      bytes[place] = states.synchronized[place]
    }
    return bytes
  }

  @Test func `whichever sectors of a head reach the disk, what was synchronized is kept`() throws {
    let states = try states()
    let head = try #require(SampleRecording.fragments(states.latest).first).movie
    let sectors = (head.upperBound + 8) / Self.sector - head.lowerBound / Self.sector + 1
    #expect(sectors > 1)
    var restored = 0
    for choice in 0..<1 << sectors {
      let bytes = torn(states, head.lowerBound..<head.upperBound + 8, sectors: choice)
      let known = try FragmentedFile(endOf: RecordingBytes(bytes))
      if known.restoredHead != nil { restored += 1 }
      #expect(known.end >= .milliseconds(580), "sectors \(String(choice, radix: 2))")
    }
    #expect(restored > 0)
  }

  @Test func `a recording with a torn head is continued, finished and repaired`() throws {
    let states = try states()
    let head = try #require(SampleRecording.fragments(states.latest).first).movie
    let all = (0..<16).map { torn(states, head.lowerBound..<head.upperBound + 8, sectors: $0) }
    let bytes = try #require(all.first { try FragmentedFile(endOf: RecordingBytes($0)).restoredHead != nil })
    try SampleRecording.write(bytes, to: path)
    try SampleRecording.append(packets(0..<4), to: path)
    try SampleRecording.expectTimes(of: packets(0..<4), in: path)
    for target in [RecordingRepair.Target.inPlace, .file(folder.file("repaired.mp4"))] {
      try SampleRecording.write(bytes, to: path)
      _ = try RecordingRepair(path: path, target: target).run()
      let repaired = target == .inPlace ? path : folder.file("repaired.mp4")
      #expect(try SampleRecording.times(repaired).count >= 18)
    }
  }

  @Test func `a copy does not undo a cut`() throws {
    _ = try states()
    let whole = try SampleRecording.bytes(path)
    try SampleRecording.write(whole.dropLast(300), to: path)
    _ = try FragmentedFile.cutTornEnd(of: path)
    let cut = try FragmentedFile(path: path)
    // What is written behind it is not what the copy means.
    try SampleRecording.write(SampleRecording.bytes(path) + [UInt8](repeating: 7, count: 2000), to: path)
    #expect(try FragmentedFile(path: path).end == cut.end)
    #expect(try FragmentedFile(path: path).restoredHead == nil)
  }

  @Test func `a torn or missing copy does no harm`() throws {
    let states = try states()
    let known = try SampleRecording.known(states.latest)
    let copies = try #require(HeadCopies(in: RecordingBytes(states.latest), from: known.headLength))
    for place in stride(from: copies.offset + 8, to: copies.end, by: 97) {
      var bytes = states.latest
      bytes[place] ^= 0xFF
      #expect(try FragmentedFile(endOf: RecordingBytes(bytes)).end == known.end)
    }
  }
}
