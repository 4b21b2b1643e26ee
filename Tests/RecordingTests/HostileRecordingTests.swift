import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastMP4
@testable import HoldfastPostproduction
@testable import HoldfastRecording

/// Files of some 100 KB that claim more than they have.
@Suite struct HostileRecordingTests {
  private let folder = ScratchFolder()
  private let head = SampleFile.head()

  private func fragment(_ number: Int, _ part: [UInt8], media: [UInt8] = []) -> [UInt8] {
    let movie = Box.make("mfhd", Box.bytes(UInt32(0)) + Box.bytes(UInt32(number))) + part
    return Box.make("moof", movie) + Box.make("mdat", media)
  }

  private func part(_ run: [UInt8], at time: Int, header: [UInt8] = []) -> [UInt8] {
    let flags = header.isEmpty ? Box.bytes(UInt32(0x02_0000)) : []
    let track = header.isEmpty ? flags + Box.bytes(UInt32(1)) : header
    return Box.make(
      "traf",
      Box.make("tfhd", track) + Box.make("tfdt", Box.bytes(UInt32(0)) + Box.bytes(UInt32(time))) + run)
  }

  /// A default size of one byte, from the start of the file.
  private static let sharedBytes =
    Box.bytes(UInt32(0x11)) + Box.bytes(UInt32(1)) + Box.bytes(UInt64(0)) + Box.bytes(UInt32(1))

  @Test(arguments: [(65_000, []), (60_000, sharedBytes)] as [(UInt32, [UInt8])])
  func `samples without bytes of their own, or with those of other fragments, are not believed`(
    samples: UInt32, header: [UInt8]
  ) throws {
    var bytes = head
    for number in 1...900 {
      let run = Box.make("trun", Box.bytes(UInt32(0)) + Box.bytes(samples))
      bytes += fragment(number, part(run, at: number, header: header))
    }
    let found = try RecordingInspection(RecordingBytes(bytes))
    #expect(found.tracks.reduce(0) { $0 + $1.samples } <= bytes.count)
  }

  @Test func `a repair keeps one of several pictures in the same bytes`() throws {
    let units = (0..<400).flatMap { _ in Box.bytes(UInt32(20)) + [0x65] + [UInt8](repeating: 7, count: 19) }
    func movie(_ place: Int) -> [UInt8] {
      let runs = (0..<500).flatMap { _ in
        Box.make(
          "trun",
          Box.bytes(UInt32(0x301)) + Box.bytes(UInt32(1)) + Box.bytes(UInt32(place))
            + Box.bytes(UInt32(3000)) + Box.bytes(UInt32(units.count)))
      }
      return part(runs, at: 0)
    }
    let length = fragment(1, movie(0)).count
    let bytes = head + fragment(1, movie(length), media: units)
    let repaired = try RepairedRecording.bytes(of: RecordingBytes(bytes))
    #expect(repaired.bytes.count <= 2 * bytes.count)
    #expect(repaired.inspection.keptSamples == 1)
  }

  @Test func `marks are not read from a damaged recording`() throws {
    let path = folder.file("a.mp4")
    try MarkedMedia.Kind.h264AAC.media().write([(0..<3, 0)], to: path)
    #expect(try RecordingVerification(path: path, environment: [:]).marks != nil)
    var bytes = try SampleRecording.bytes(path)
    let fragment = try #require(try SampleRecording.fragments(bytes).dropFirst().first)
    bytes[fragment.range.lowerBound + 5] ^= 0xFF
    try SampleRecording.write(bytes, to: path)
    let verification = try RecordingVerification(path: path, environment: [:])
    #expect(!verification.defects.isEmpty && verification.marks == nil)
  }

  /// A recording of three seconds with an hour before the last.
  private func farApart() throws -> ExportScene {
    let scene = ExportScene()
    try MarkedMedia.Kind.h264AAC.media().write([(0..<2, 0), (2..<3, 3600)], to: scene.recording)
    return scene
  }

  @Test func `an export without a journal fills no more than the recording's own length`() throws {
    let scene = try farApart()
    let result = try scene.export(.keep)
    #expect(result.duration.seconds < 10)
    #expect(try scene.complaints() == "")
  }

  @Test func `an export that keeps gaps fills no more than the journal explains`() throws {
    let scene = try farApart()
    try scene.journal((22, .gap(Gap(.disk, wall: 2...22, at: 2, video: 20, pictures: 600, audio: 20))))
    let result = try scene.export(.keep)
    #expect((22..<30).contains(result.duration.seconds))
  }

  @Test(arguments: [
    "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nother.mp4\n#EXT-X-ENDLIST\n",
    "ffconcat version 1.0\nfile other.mp4\n",
  ])
  func `a file that names another one is no source`(text: String) throws {
    try MarkedMedia.Kind.h264AAC.media().write([(0..<1, 0)], to: folder.file("other.mp4"))
    let path = try folder.write(text, to: "list.mp4")
    #expect(throws: FFmpegError.self) { _ = try PictureReader(path: path) }
    #expect(throws: FFmpegError.self) { _ = try PacketReader(path: path, kind: .video) }
  }
}
