package import HoldfastMediaModel

/// A track that the server knows.
struct AnnouncedTrack: Sendable {
  let codec: Codec
  /// Its own.
  let headers: [UInt8]
  /// The last ones that the server was sent.
  var sent: [UInt8]
}

extension RTMPClient {
  /// Sends the metadata and each track's headers.
  package mutating func start(_ tracks: [Track]) throws(RTMPError) {
    guard case .publishing(let streamID) = state else { return }
    let metadata = AMF0Writer.bytes(of: [
      .string("@setDataFrame"), .string("onMetaData"), StreamMetadata.value(for: tracks),
    ])
    writer.write(.dataAMF0, on: 8, streamID: streamID, payload: metadata[...], in: &outgoing)
    for track in tracks {
      try send(track.headers, of: track.kind, track.codec, timestamp: 0, streamID: streamID)
      self.tracks[track.kind] = AnnouncedTrack(
        codec: track.codec, headers: track.headers, sent: track.headers)
    }
  }

  private mutating func send(
    _ headers: [UInt8], of kind: TrackKind, _ codec: Codec, timestamp: UInt32, streamID: UInt32
  ) throws(RTMPError) {
    var headers = headers
    if codec == .av1 {
      guard let record = AV1Configuration.record(headers: headers) else {
        throw .unsupported("an AV1 track without a sequence header")
      }
      headers = record
    }
    writer.writeMedia(
      kind, head: FLVTagHead.headers(codec), payload: headers[...], timestamp: timestamp, streamID: streamID,
      in: &outgoing)
  }

  /// `time` is the packet's decode time on the connection's timeline, which starts at 0. A keyframe that takes other
  /// headers than the last one gets them before it.
  package mutating func send(_ packet: MediaPacket, at time: MediaTime) throws(RTMPError) {
    guard case .publishing(let streamID) = state else { return }
    guard let track = tracks[packet.track] else { throw .unsupported("a track that was not announced") }
    let codec = track.codec
    guard packet.bytes.count <= ChunkWriter.maxMessageSize - ChunkWriter.Head.room else {
      throw .limitExceeded("a packet of \(packet.bytes.count) bytes")
    }
    let milliseconds = time.ticks(timescale: 1000)
    let timestamp = UInt32(truncatingIfNeeded: milliseconds)
    let headers = packet.headers ?? track.headers
    if packet.isKeyframe, headers != track.sent {
      try send(headers, of: packet.track, codec, timestamp: timestamp, streamID: streamID)
      tracks[packet.track]?.sent = headers
    }
    let shown = (time + packet.presentationTime - packet.decodeTime).ticks(timescale: 1000)
    let head = FLVTagHead.packet(
      codec, isKeyframe: packet.isKeyframe, composition: Int32(clamping: shown - milliseconds))
    writer.writeMedia(
      packet.track, head: head, payload: Self.content(of: packet, codec),
      timestamp: timestamp, streamID: streamID, in: &outgoing)
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
    case .idle, .handshaking, .connecting, .creatingStream, .ended: break
    }
    state = .ended
  }

  /// AV1 is sent without temporal delimiters.
  private static func content(of packet: MediaPacket, _ codec: Codec) -> ArraySlice<UInt8> {
    codec == .av1 && packet.bytes.starts(with: [0x12, 0]) ? packet.bytes.dropFirst(2) : packet.bytes[...]
  }
}
