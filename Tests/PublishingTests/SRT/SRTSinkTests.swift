import Foundation
import HoldfastFFmpeg
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

@testable import HoldfastPublishing

/// What a real listener gets.
@Suite(.realTime) struct SRTSinkTests {
  /// What comes later than the latency is dropped, also by a listener that a busy machine holds up.
  private static let patient = "?latency=2000"

  /// A listener that has received all of `media`.
  private func listener(receiving media: EncodedMedia) throws -> SRTListener {
    let listener = try SRTListener()
    try SRTRun(to: listener, Self.patient).publish(media)
    #expect(try listener.recordedPackets() == media.packetCounts())
    return listener
  }

  @Test(arguments: [("libx264", "aac"), ("libx265", "aac"), ("libx264", "libopus"), ("libx265", "libopus")])
  func `every packet of both tracks arrives and can be decoded`(video: String, audio: String) throws {
    let media = try EncodedMedia(video: video, audio: audio)
    let listener = try listener(receiving: media)
    let codecs = try Tool.probe(listener.path).map { $0["codec_name"] }
    #expect(codecs == media.tracks.map(\.codec.rawValue))
    #expect(try Tool.run(["ffmpeg", "-v", "error", "-xerror", "-i", listener.path, "-f", "null", "-"]) == "")
  }

  @Test(arguments: ["libx264", "libx265"])
  func `a stream whose headers change on the way can be decoded whole`(video: String) throws {
    let media = try EncodedMedia.changingHeaders(video: video)
    let listener = try listener(receiving: media)
    let expected = try media.checksums()
    #expect(expected.count == media.pictures)
    #expect(try Tool.decodedPictures(listener.path) == expected)
  }

  @Test func `ffmpeg's own listener receives every packet`() throws {
    let media = try EncodedMedia.usual.get()
    let listener = try SRTListener(ffmpegWriting: "mkv")
    try SRTRun(to: listener, Self.patient).publish(media)
    #expect(try listener.recordedPackets() == media.packetCounts())
  }

  @Test func `a last picture larger than a length can say is complete, too`() throws {
    let media = try EncodedMedia.usual.get().enlargingLastPicture(by: 70_000)
    let listener = try listener(receiving: media)
    let stream = try Data(contentsOf: URL(fileURLWithPath: listener.path))
    #expect(completePictures(in: Array(stream)) == media.pictures)
  }
}
