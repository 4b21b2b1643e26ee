import HoldfastCFFmpeg
import HoldfastMediaModel

extension NetworkPacket {
  /// The picture of a keyframe alone; nil if it can't be decoded.
  package borrowing func picture() throws(FFmpegError) -> Frame? {
    guard track.kind == .video, isKeyframe else { return nil }
    let decoder = try Decoder(track.parameters.pointee.codec_id, parameters: track.parameters) { context in
      context.pointee.max_pixels = Int64(NetworkInput.maxPixels)
      context.pointee.thread_count = 1
      context.pointee.log_level_offset = AV_LOG_TRACE
    }
    try decoder.send(packet.raw)
    try decoder.send(nil)
    let frame = try Frame()
    guard try decoder.receive(into: frame) == .frame else { return nil }
    return frame
  }
}
