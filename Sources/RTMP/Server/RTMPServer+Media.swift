package import HoldfastMediaModel

extension RTMPServer {
  func media(_ kind: TrackKind, _ message: RTMPMessage) -> Event? {
    guard isPublishing(message.streamID), !message.payload.isEmpty else { return nil }
    return .media(message.streamID, kind, timestamp: message.timestamp, payload: message.payload)
  }

  /// Nil for data that cannot be read, which no player could use.
  func data(_ message: RTMPMessage) -> Event? {
    guard isPublishing(message.streamID) else { return nil }
    let start = message.kind == .dataAMF3 && message.payload.first == 0 ? 1 : 0
    guard let values = try? AMFReader.values(in: message.payload, from: start, limits: settings.limits),
      let first = values.first?.text
    else { return nil }
    // `@setDataFrame`, a short string, is a request to the server and not part of the data.
    let isSetDataFrame = first == "@setDataFrame" && message.payload[start] == 2
    let prefix = isSetDataFrame ? 3 + first.utf8.count : 0
    let payload = Array(message.payload.dropFirst(start + prefix))
    guard let name = isSetDataFrame ? values.dropFirst().first?.text : first, !name.hasPrefix("@") else {
      return nil
    }
    return name == "onMetaData"
      ? .metadata(message.streamID, timestamp: message.timestamp, payload: payload)
      : .data(
        message.streamID, Array(values.dropFirst(isSetDataFrame ? 1 : 0)), timestamp: message.timestamp,
        payload: payload)
  }

  private func isPublishing(_ stream: StreamID) -> Bool {
    if case .publishing = streams[stream] { true } else { false }
  }

  /// Relays a message to a player that has not deselected the track.
  package mutating func send(_ kind: TrackKind, _ payload: [UInt8], timestamp: UInt32, to stream: StreamID) {
    guard case .playing(_, let tracks) = streams[stream], tracks.contains(kind) else { return }
    writer.writeMedia(kind, payload: payload[...], timestamp: timestamp, streamID: stream, in: &outgoing)
  }

  /// Relays metadata or other data to a player.
  package mutating func sendData(_ payload: [UInt8], timestamp: UInt32, to stream: StreamID) {
    guard case .playing = streams[stream] else { return }
    writer.write(
      .dataAMF0, on: 5, timestamp: timestamp, streamID: stream, payload: payload[...], in: &outgoing)
  }

  package mutating func endPlay(_ stream: StreamID) {
    guard case .playing(let name, _) = streams[stream] else { return }
    writer.writeUserControl(1, stream, in: &outgoing)
    status("NetStream.Play.UnpublishNotify", "\(name) is over", of: stream)
    streams[stream] = .unused
  }

  package mutating func endPublish(_ stream: StreamID, _ description: String) {
    guard case .publishing = streams[stream] else { return }
    status("NetStream.Unpublish.Success", description, of: stream)
    streams[stream] = .unused
  }
}

extension RTMPMessage {
  /// The messages of an aggregate: FLV tags, with times relative to the first.
  func parts(limits: RTMPLimits) throws(RTMPError) -> [RTMPMessage] {
    var parts: [RTMPMessage] = []
    var offset = 0
    var first: UInt32?
    while payload.count - offset >= 11 {
      let size = Int(number(at: offset + 1, bytes: 3))
      guard size <= payload.count - offset - 11 else { throw .malformed("an aggregate breaks off") }
      let time = number(at: offset + 4, bytes: 3) | UInt32(payload[offset + 7]) << 24
      first = first ?? time
      let body = Array(payload[offset + 11..<offset + 11 + size])
      parts.append(
        RTMPMessage(
          typeID: payload[offset], timestamp: timestamp &+ (time &- (first ?? time)), streamID: streamID,
          payload: body))
      // Each tag is followed by its size.
      offset += 11 + size + 4
    }
    return parts.filter { [.audio, .video, .dataAMF0].contains($0.kind) }
  }

  private func number(at offset: Int, bytes: Int) -> UInt32 {
    payload[offset..<offset + bytes].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
