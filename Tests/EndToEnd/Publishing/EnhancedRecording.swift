import Foundation
import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastRTMP
import TestSupport

/// Converts a local server's recording to MP4, as this FFmpeg cannot read FLV with the codecs of Enhanced
/// RTMP.
enum EnhancedRecording {
  static func convert(_ tags: [RecordedTag], size: PictureSize, to path: String) throws {
    let parts = tags.compactMap(Part.init)
    let tracks = parts.compactMap { $0.track(size) }
    var muxer = try Muxer(
      container: "mp4", tracks: tracks, options: [("movflags", "frag_keyframe+empty_moov")])
    for packet in parts.compactMap(\.packet) { try muxer.write(packet) }
    try muxer.finish()
    try Data(muxer.takeBytes()).write(to: URL(fileURLWithPath: path))
  }
}

private struct Part {
  let recorded: RecordedTag
  let tag: FLVTag

  init?(_ recorded: RecordedTag) {
    self.recorded = recorded
    switch recorded.kind {
    case .video: tag = FLVTag(video: recorded.payload)
    case .audio: tag = FLVTag(audio: recorded.payload)
    case .data: return nil
    }
  }

  func track(_ size: PictureSize) -> Track? {
    guard case .headers(let codec, let start) = tag else { return nil }
    let format: Track.Format =
      codec.kind == .video
      ? .video(VideoFormat(size: size, frameRate: .thirty))
      : .audio(AudioFormat(sampleRate: 48_000, channels: 2))
    return Track(codec: codec, format: format, headers: Array(recorded.payload[start...]), bitrate: 0)
  }

  var packet: MediaPacket? {
    guard case .packet(let codec, let isKeyframe, let composition, let start) = tag else { return nil }
    let time = MediaTime.milliseconds(Int64(recorded.timestamp))
    return MediaPacket(
      track: codec.kind, decodeTime: time, presentationTime: time + .milliseconds(Int64(composition)),
      duration: .zero, isKeyframe: isKeyframe, bytes: Array(recorded.payload[start...]))
  }
}
