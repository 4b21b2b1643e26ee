import HoldfastFFmpeg
import HoldfastMediaModel
import TestSupport
import Testing

@Suite struct SessionDescriptionTests {
  private let video = SampleTracks.video
  private let audio = SampleTracks.audio

  private func lines(_ tracks: [Track], host: String = "127.0.0.1") throws -> [String] {
    try sessionDescription(of: tracks, title: "a show", host: host).split(separator: "\r\n").map(String.init)
  }

  @Test(arguments: [
    (
      SampleTracks.video, ["m=video 0 RTP/AVP 96", "a=rtpmap:96 H264/90000"],
      ["packetization-mode=1", "sprop-parameter-sets=Z0IAHgk=,aM4B", "profile-level-id=42001E"]
    ),
    (
      SampleTracks.audio, ["m=audio 0 RTP/AVP 96", "a=rtpmap:96 MPEG4-GENERIC/48000/2"],
      ["config=1190", "mode=AAC-hbr"]
    ),
  ])
  func `a track is described with its parameter sets or its configuration`(
    track: Track, expected: [String], parameters: [String]
  ) throws {
    let lines = try lines([track])
    #expect(expected.allSatisfy(lines.contains))
    let format = try #require(lines.first { $0.hasPrefix("a=fmtp:96") })
    #expect(parameters.allSatisfy { format.contains($0) })
  }

  @Test func `each track has its own control name and payload type`() throws {
    let lines = try lines([video, audio])
    #expect(lines.filter { $0.hasPrefix("a=control:") } == ["a=control:streamid=0", "a=control:streamid=1"])
    #expect(lines.filter { $0.hasPrefix("m=") } == ["m=video 0 RTP/AVP 96", "m=audio 0 RTP/AVP 97"])
  }

  @Test func `the description names the stream and its destination`() throws {
    let lines = try lines([video], host: "::1")
    #expect(["s=a show", "c=IN IP6 ::1"].allSatisfy(lines.contains), "\(lines)")
  }

  @Test func `large headers fit into the description`() throws {
    let sets = [UInt8](repeating: 0x41, count: 20_000)
    let headers: [UInt8] = [1, 66, 0, 30, 0xFF, 0xE1, 0x4E, 0x20] + sets + [1, 0, 3, 0x68, 0xCE, 1]
    let lines = try lines([Track(codec: .h264, format: video.format, headers: headers, bitrate: 0)])
    #expect(lines.contains { $0.hasPrefix("a=control:") })
  }

  @Test func `a codec that libavformat cannot packetize is refused with a reason`() {
    let track = Track(codec: .av1, format: video.format, headers: [10, 11], bitrate: 0)
    let error = #expect(throws: FFmpegError.self) { try lines([track]) }
    #expect(error?.description.contains("AV1 over RTP") == true)
  }
}
