import Foundation
import HoldfastFFmpeg
import HoldfastLifecycle
import HoldfastMediaModel
import TestSupport
import Testing

@testable import HoldfastPublishing

@Suite struct TransportStreamWriterTests {
  private let media: EncodedMedia

  init() throws { media = try EncodedMedia.usual.get() }

  private func write(from start: Int = 0) throws -> [UInt8] {
    var writer = try TransportStreamWriter(media.tracks)
    for packet in media.packets.dropFirst(start) { try writer.write(packet) }
    return writer.takeBytes()
  }

  private func read(_ bytes: [UInt8], _ kind: TrackKind) throws -> [MediaPacket] {
    let folder = ScratchFolder()
    try Data(bytes).write(to: URL(fileURLWithPath: folder.file("a.ts")))
    return try EncodedFile(folder.file("a.ts")).packets.filter { $0.track == kind }
  }

  @Test func `a transport stream keeps the pictures' order, intervals and keyframes`() throws {
    let before = media.packets.filter { $0.track == .video }
    let after = try read(write(), .video)
    #expect(after.count == before.count)
    let shift = try #require(after.first).decodeTime - before[0].decodeTime
    for (one, other) in zip(before, after) {
      #expect((one.decodeTime + shift).ticks(timescale: 45_000) == other.decodeTime.ticks(timescale: 45_000))
      #expect(one.isKeyframe == other.isKeyframe)
    }
  }

  @Test func `pictures with other headers of the same codec carry those from then on`() throws {
    let old = media.tracks[0]
    let other = Track(
      codec: .h264, format: old.format,
      headers: [1, 66, 0, 30, 0xFF, 0xE1, 0, 4, 0x67, 66, 0, 30, 1, 0, 2, 0x68, 9], bitrate: 0)
    var writer = try TransportStreamWriter(media.tracks)
    let keyframes = media.packets.filter { $0.track == .video && $0.isKeyframe }
    try writer.write(keyframes[0])
    _ = writer.takeBytes()
    writer.change(to: other)
    try writer.write(keyframes[1])
    let sets: [UInt8] = [0, 0, 0, 1, 0x67, 66, 0, 30, 0, 0, 0, 1, 0x68, 9]
    let bytes = writer.takeBytes()
    #expect(Data(bytes).range(of: Data(sets)) != nil)
  }

  @Test func `a picture is complete without the next one`() throws {
    #expect(completePictures(in: try write()) == media.pictures)
  }

  @Test func `each keyframe is preceded by tables, a delimiter and its parameter sets`() throws {
    var writer = try TransportStreamWriter(media.tracks)
    let sets = try #require(media.tracks[0].codec.parameterSets(headers: media.tracks[0].headers))
    for packet in media.packets {
      try writer.write(packet)
      let bytes = writer.takeBytes()
      guard packet.track == .video, packet.isKeyframe else { continue }
      #expect(bytes.count % 188 == 0)
      // The first packet is one of the program association table, on PID 0.
      let tables = stride(from: 0, to: bytes.count, by: 188).prefix(3).map { (start: Int) -> Int in
        Int(bytes[start + 1] & 0x1F) << 8 | Int(bytes[start + 2])
      }
      #expect(tables.contains(0) && tables.contains(0x1000))
      let delimiter: [UInt8] = [0, 0, 0, 1, 9, 0xF0]
      let requested = Data(delimiter + sets.flatMap { [0, 0, 0, 1] + $0 })
      #expect(Data(bytes).range(of: requested) != nil)
    }
  }

  @Test func `times start over at the beginning of each connection`() throws {
    let second = try #require(
      media.packets.firstIndex { $0.isKeyframe && $0.track == .video && $0.decodeTime > .zero })
    let (all, rest) = (try write(), try write(from: second))
    #expect(try firstClock(all) == firstClock(rest))
  }

  @Test func `sound from before the first picture is written too`() throws {
    var writer = try TransportStreamWriter(media.tracks)
    for var packet in media.packets {
      if packet.track == .audio {
        packet.decodeTime = packet.decodeTime - .milliseconds(500)
        packet.presentationTime = packet.decodeTime
      }
      try writer.write(packet)
    }
    #expect(try read(writer.takeBytes(), .audio).count == media.sounds)
  }

  @Test func `a connection may last longer than the clock's 26 hours`() throws {
    var writer = try TransportStreamWriter(media.tracks)
    let first = try #require(media.packets.first)
    try writer.write(first)
    for var later in media.packets.dropFirst() {
      later.decodeTime += .seconds(95_442)
      later.presentationTime += .seconds(95_442)
      try writer.write(later)
    }
    #expect(writer.takeBytes().count % 188 == 0)
  }

  @Test func `a transport stream with unreadable headers is refused`() throws {
    let track = Track(codec: .h264, format: SampleTracks.video.format, headers: [1, 2, 3], bitrate: 0)
    let kind = #expect(throws: SinkError.self) { _ = try TransportStreamWriter([track]) }?.kind
    #expect(kind == .unsupported)
  }

  /// The first program clock reference, in ticks of 90 kHz.
  private func firstClock(_ stream: [UInt8]) throws -> Int {
    for start in stride(from: 0, to: stream.count, by: 188) {
      let hasClock = stream[start + 3] & 0x20 != 0 && stream[start + 4] > 6 && stream[start + 5] & 0x10 != 0
      guard hasClock else { continue }
      return stream[(start + 6)..<(start + 10)].reduce(0) { $0 << 8 | Int($1) } << 1
        | Int(stream[start + 10] >> 7)
    }
    throw CocoaError(.coderValueNotFound)
  }
}
