import HoldfastFFmpeg
import HoldfastMarks
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastMP4
@testable import HoldfastPostproduction
@testable import HoldfastRecording

/// One sound packet of AAC, in milliseconds.
let soundPacket = 1024.0 / 48

@Suite struct ExportTests {
  private let scene = ExportScene()
  private let media: MarkedMedia

  init() throws { media = try MarkedMedia.Kind.h264AAC.media() }

  @Test(arguments: Export.Container.allCases)
  func `an export holds the recorded media byte for byte, and nothing else`(
    container: Export.Container
  ) throws {
    try media.write([(0..<4, 0)], to: scene.recording)
    let result = try scene.export { $0.container = container }
    #expect(result.gaps.isEmpty)
    for kind in TrackKind.allCases {
      let sent = media.packets.filter { $0.track == kind && $0.decodeTime < .milliseconds(3999) }.map(\.bytes)
      #expect(try SampleRecording.packets(of: scene.output, kind).map(\.bytes) == sent)
    }
    #expect(try scene.complaints() == "")
  }

  @Test(arguments: [MarkedMedia.Kind.h264AAC, .hevcOpus, .av1AAC])
  func `exported pictures and sound keep their times`(kind: MarkedMedia.Kind) throws {
    try kind.media().write([(0..<5, 0)], to: scene.recording)
    try scene.export()
    let before = try RecordingMarks(path: scene.recording)
    let after = try scene.marks()
    #expect(after.pictureTimes == before.pictureTimes && after.audioStart == before.audioStart)
    #expect(after.report.offsets == before.report.offsets && after.report.offsets.count >= 4)
  }

  @Test func `an export has its index before its media`() throws {
    try media.write([(0..<2, 0)], to: scene.recording)
    try scene.export()
    let text = String(decoding: try SampleRecording.bytes(scene.output), as: UTF8.self)
    let (index, media) = (text.firstRange(of: "moov"), text.firstRange(of: "mdat"))
    #expect(try #require(index).lowerBound < #require(media).lowerBound)
    #expect(!text.contains("moof"))
  }

  @Test(arguments: [1, 100, 5000]) func `a torn end costs an export only what is torn`(missing: Int) throws {
    try media.write([(0..<5, 0)], to: scene.recording, isFinished: false)
    let file = try FileDescriptor.openForUpdating(scene.recording)
    try file.truncate(to: try file.size() - missing)
    let export = try Export(scene.request())
    _ = try export.run()
    let marks = try scene.marks()
    #expect(marks.report.pictures >= 120 && marks.missingPictures == 0 && marks.report.unreadable == 0)
    #expect(export.notes.contains { $0.contains("torn") })
  }

  @Test func `a recording still being written is exported up to its current end`() throws {
    try media.write([(0..<3, 0)], to: scene.recording, isFinished: false)
    try scene.export()
    #expect(try scene.marks().report.pictures == 90)
  }

  @Test func `damage in the middle becomes a gap, and what follows is exported`() throws {
    try media.write([(0..<8, 0)], to: scene.recording)
    let fragments = try SampleRecording.fragments(SampleRecording.bytes(scene.recording))
    let file = try FileDescriptor.openForUpdating(scene.recording)
    try file.write(Array("spot".utf8), at: fragments[fragments.count / 2].range.lowerBound + 4)
    let result = try scene.export()
    let marks = try scene.marks()
    #expect(result.gaps.map(\.cause) == ["unknown"])
    #expect(marks.report.unreadable == 0 && marks.report.goingBack == 0)
    #expect(marks.report.last?.number == 239 && (15...60).contains(marks.missingPictures))
    #expect(marks.spread <= soundPacket)
    #expect(try scene.complaints() == "")
  }

  @Test func `an export closes up a hole, with pictures and sound in sync on both sides`() throws {
    try media.write([(0..<3, 0), (5..<9, 5)], to: scene.recording)
    let result = try scene.export()
    let marks = try scene.marks()
    #expect(result.gaps.map(\.cause) == ["unknown"])
    #expect(marks.report.pictures == 210 && marks.missingPictures == 60 && marks.report.goingBack == 0)
    #expect(abs(marks.audioSeconds - 7) < 0.03)
    #expect(abs(try #require(marks.place(ofSecond: 5)) - 3) < soundPacket / 1000)
    let times = marks.report.offsets.map(\.time)
    #expect(times.contains { $0 < .seconds(3) } && times.contains { $0 > .seconds(3) }, "\(times)")
    #expect(marks.spread <= 1)
  }

  /// How far each packet that was recorded has been moved, in the order of the pieces.
  private func shifts(_ kind: TrackKind, _ times: [Range<Double>]) throws -> [[MediaTime]] {
    var reader = try PacketReader(path: scene.output, kind: kind)
    return try times.map { piece in
      let span = MediaTime(seconds: piece.lowerBound)..<MediaTime(seconds: piece.upperBound)
      return try media.packets.filter {
        $0.track == kind && span.contains($0.decodeTime + .milliseconds(1))
      }.map { packet in
        let exported = try #require(try reader.next())
        #expect(exported.bytes == packet.bytes)
        return exported.presentationTime - packet.presentationTime
      }
    }
  }

  @Test func `ten holes add up to no drift in an export`() throws {
    let pieces = (0..<11).map { Double($0)..<Double($0) + 0.7 }
    try media.write(pieces.map { ($0, $0.lowerBound) }, to: scene.recording)
    let result = try scene.export()
    #expect(result.gaps.count == 10 && abs(result.duration.seconds - 7.7) < 11 * soundPacket / 1000)
    // Each piece is moved as a whole, picture and sound by the same.
    for (pictures, sounds) in zip(try shifts(.video, pieces), try shifts(.audio, pieces)) {
      let all = (pictures + sounds).map(\.seconds)
      #expect(try #require(all.max()) - #require(all.min()) < 0.0001)
    }
  }

  @Test func `a kept hole is black and silent, and what follows keeps its time`() throws {
    try media.write([(0..<3, 0), (5..<9, 5)], to: scene.recording)
    let result = try scene.export(.keep)
    let marks = try scene.marks()
    #expect(marks.report.pictures == 270 && marks.report.unreadable == 60)
    #expect(abs(try #require(marks.place(ofSecond: 5)) - 5) < 0.001 && marks.spread <= 1)
    #expect(abs(result.duration.seconds - 9) < 0.03 && abs(marks.audioSeconds - 9) < 0.05)
    #expect(try scene.complaints() == "")
  }

  @Test(arguments: MarkedMedia.Kind.allCases)
  func `a kept interruption gets its real length, and decodes cleanly`(kind: MarkedMedia.Kind) throws {
    try kind.media().write([(0..<3, 0), (6..<9, 3)], to: scene.recording)
    let blurred = try RecordingMarks(path: scene.recording).report.unreadable
    try scene.journal((3, .interrupted("device", at: 2.99)), (6, .resumed(mediaAt: .seconds(3))))
    let result = try scene.export(.keep)
    let marks = try scene.marks()
    #expect(result.gaps.map(\.title) == ["04:22:16 Device lost for 3.0 s"])
    #expect(abs(try #require(marks.place(ofSecond: 6)) - 6) < 0.001 && marks.spread <= 1)
    #expect(marks.report.pictures == 270 && marks.report.unreadable == 90 + blurred, "\(marks.report)")
    #expect(try scene.complaints() == "")
  }

  @Test func `each keyframe carries its own headers when black needs others`() throws {
    let media = try MarkedMedia.Kind.foreignH264.media()
    try media.write([(0..<3, 0), (5..<8, 5)], to: scene.recording)
    try scene.export(.keep)
    #expect(try Tool.probe(scene.output).first?["codec_tag_string"] == "avc3")
    // Into the black, and from there into what follows.
    for second in ["3.5", "5.5", "1"] {
      #expect(try decodersComplaints(scene.output, reading: "-ss \(second)", decoding: "-t 1") == "")
    }
  }

  @Test func `an interruption without a hole stays closed up`() throws {
    try media.write([(0..<3, 0), (6..<9, 3)], to: scene.recording)
    try scene.journal((3, .interrupted("user", at: 2.99)), (6, .resumed(mediaAt: .seconds(3))))
    let result = try scene.export()
    #expect(result.gaps.count == 1 && abs(result.duration.seconds - 6) < 0.03)
    #expect(try scene.marks().report.pictures == 180)
  }

  @Test(arguments: Export.Gaps.allCases)
  func `an interruption that the recording itself kept counts once`(gaps: Export.Gaps) throws {
    try media.write([(0..<3, 0), (5..<7, 5), (9..<12, 9)], to: scene.recording)
    try scene.journal(
      (3, .interrupted("user", at: 3)), (5, .resumed(mediaAt: .seconds(3))),
      (7, .interrupted("device", at: 5)), (9, .resumed(mediaAt: .seconds(5))))
    let result = try scene.export(gaps)
    #expect(result.gaps.map(\.cause) == ["user", "device"])
    #expect(abs(result.duration.seconds - (gaps == .keep ? 12 : 8)) < 0.1)
    #expect(try scene.marks().spread <= soundPacket)
  }

  @Test(arguments: TrackKind.allCases)
  func `a recording of pictures alone or sound alone is exported`(kind: TrackKind) throws {
    try media.write([(0..<3, 0), (5..<8, 5)], to: scene.recording, only: kind)
    let result = try scene.export()
    #expect(result.gaps.count == 1 && abs(result.duration.seconds - 6) < 0.05)
    #expect(try Tool.probe(scene.output).filter { $0["codec_type"] != "data" }.count == 1)
  }

  @Test func `a gap that the recording covers is reported, and changes no times`() throws {
    try media.write([(0..<6, 0)], to: scene.recording)
    let gap = Gap(.device, wall: 2...4, at: 2, video: 2, pictures: 60)
    let network = Gap(.network, output: "main", wall: 2...4, at: 2, video: 2)
    try scene.journal((4, .gap(gap)), (4, .gap(network)))
    let result = try scene.export()
    #expect(result.gaps.map(\.title) == ["04:22:14 Device lost for 2.0 s"])
    #expect(try scene.chapters() == ["0.000000 Start", "4.000000 04:22:14 Device lost for 2.0 s"])
    #expect(abs(result.duration.seconds - 6) < 0.03)
  }

  /// A source is noticed to be lost after a second; then a slate takes its place.
  @Test(arguments: [(true, [1, 4]), (false, [1]), (nil, [1])] as [(Bool?, [Double])])
  func `what a slate covers after a hole is reported where the journal says that there is one`(
    isFilled: Bool?, lengths: [Double]
  ) throws {
    try media.write([(0..<2, 0), (3..<8, 3)], to: scene.recording)
    let lost = Gap(.source, wall: 2...7, at: 2, video: 5, audio: 5, isFilled: isFilled)
    try scene.journal((7, .gap(lost)))
    let gaps = try scene.export().gaps
    #expect(gaps.allSatisfy { $0.cause == "source" })
    #expect(gaps.map(\.isCovered) == Array([false, true].prefix(lengths.count)))
    #expect(zip(gaps, lengths).allSatisfy { abs($0.length.seconds - $1) < 0.05 })
  }
}
