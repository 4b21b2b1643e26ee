import HoldfastCFFmpeg
package import HoldfastMediaModel

/// A packet as it arrived, with the stamps of the sender's clock.
package struct NetworkPacket: ~Copyable, @unchecked Sendable {  // one owner at a time
  let packet: Packet
  package let track: NetworkTrack
  package let decodeStamp: MediaTime?
  package let presentationStamp: MediaTime?

  init(_ packet: consuming Packet, of track: NetworkTrack) {
    let raw = packet.raw.pointee
    presentationStamp = track.stamp(raw.pts)
    decodeStamp = track.stamp(raw.dts)
    self.track = track
    self.packet = packet
  }

  package var stamp: MediaTime? { decodeStamp ?? presentationStamp }
  package var isKeyframe: Bool { UnsafePointer(packet.raw).isKeyframe }
  package var byteCount: Int { Int(packet.raw.pointee.size) }
  package var duration: MediaTime {
    packet.raw.pointee.duration > 0 ? track.stamp(packet.raw.pointee.duration) ?? .zero : .zero
  }
  /// The headers that begin with this packet; nil if they have not changed.
  package var newHeaders: [UInt8]? {
    var size = 0
    guard let data = av_packet_get_side_data(packet.raw, AV_PKT_DATA_NEW_EXTRADATA, &size) else { return nil }
    return Array(UnsafeBufferPointer(start: data, count: size))
  }
  package func bytes(_ track: CopiedTrack) -> [UInt8] { track.payload(UnsafePointer(packet.raw).bytes.span) }
}

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
