package import HoldfastMediaModel

extension RTMPClient {
  /// Sends the metadata and each track's headers.
  package mutating func start(_ tracks: [Track]) throws(RTMPError) {
    guard case .publishing(let streamID) = state else { return }
    let metadata = AMF0Writer.bytes(of: [
      .string("@setDataFrame"), .string("onMetaData"), StreamMetadata.value(for: tracks),
    ])
    writer.write(.dataAMF0, on: 8, streamID: streamID, payload: metadata[...], in: &outgoing)
    for track in tracks {
      self.tracks[track.kind] = track.codec
      var headers = track.headers
      if track.codec == .av1 {
        guard let record = AV1Configuration.record(headers: track.headers) else {
          throw .unsupported("an AV1 track without a sequence header")
        }
        headers = record
      }
      writer.writeMedia(
        track.kind, head: FLVTagHead.headers(track.codec), payload: headers[...], timestamp: 0,
        streamID: streamID, in: &outgoing)
    }
  }

  /// `time` is the packet's decode time on the connection's timeline, which starts at 0.
  package mutating func send(_ packet: MediaPacket, at time: MediaTime) throws(RTMPError) {
    guard case .publishing(let streamID) = state else { return }
    guard let codec = tracks[packet.track] else { throw .unsupported("a track that was not announced") }
    guard packet.bytes.count <= ChunkWriter.maxMessageSize - ChunkWriter.Head.room else {
      throw .limitExceeded("a packet of \(packet.bytes.count) bytes")
    }
    let milliseconds = time.ticks(timescale: 1000)
    let shown = (time + packet.presentationTime - packet.decodeTime).ticks(timescale: 1000)
    let head = FLVTagHead.packet(
      codec, isKeyframe: packet.isKeyframe, composition: Int32(clamping: shown - milliseconds))
    writer.writeMedia(
      packet.track, head: head, payload: Self.content(of: packet, codec),
      timestamp: UInt32(truncatingIfNeeded: milliseconds), streamID: streamID, in: &outgoing)
  }

  package mutating func sendData(name: String, text: String, at time: MediaTime) {
    guard case .publishing(let streamID) = state else { return }
    let payload = AMF0Writer.bytes(of: [.string(name), .object([.init("text", .string(text))])])
    writer.write(
      .dataAMF0, on: 8, timestamp: UInt32(truncatingIfNeeded: time.ticks(timescale: 1000)),
      streamID: streamID, payload: payload[...], in: &outgoing)
  }

  package mutating func finish() {
    switch state {
    case .ready(let streamID), .requesting(let streamID), .publishing(let streamID):
      send("FCUnpublish", [.number(0), .null, .string(settings.url.streamName)])
      send("deleteStream", [.number(0), .null, .number(Double(streamID))])
    case .idle, .handshaking, .connecting, .connected, .creatingStream, .ended: break
    }
    state = .ended
  }

  /// AV1 is sent without temporal delimiters.
  private static func content(of packet: MediaPacket, _ codec: Codec) -> ArraySlice<UInt8> {
    codec == .av1 && packet.bytes.starts(with: [0x12, 0]) ? packet.bytes.dropFirst(2) : packet.bytes[...]
  }
}
