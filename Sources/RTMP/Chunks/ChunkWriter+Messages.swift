import HoldfastMediaModel

extension ChunkWriter {
  mutating func writeCommand(
    _ name: String, _ values: [AMFValue], on chunkStream: Int = 3, streamID: UInt32,
    in output: inout OutgoingBytes
  ) {
    let payload = AMF0Writer.bytes(of: [.string(name)] + values)
    write(.commandAMF0, on: chunkStream, streamID: streamID, payload: payload[...], in: &output)
  }

  mutating func writeMedia(
    _ track: TrackKind, head: Head = Head(), payload: ArraySlice<UInt8>, timestamp: UInt32,
    streamID: UInt32, in output: inout OutgoingBytes
  ) {
    let (kind, chunkStream): (RTMPMessage.Kind, Int) = track == .video ? (.video, 6) : (.audio, 4)
    write(
      kind, on: chunkStream, timestamp: timestamp, streamID: streamID, head: head, payload: payload,
      in: &output)
  }

  mutating func writeUserControl(_ event: UInt32, _ number: UInt32, in output: inout OutgoingBytes) {
    var head = Head()
    head.append(bigEndian: event, count: 2)
    head.append(bigEndian: number)
    write(.userControl, on: 2, head: head, in: &output)
  }

  /// Answers a ping; returns the number of a pong.
  mutating func answerUserControl(
    _ message: RTMPMessage, in output: inout OutgoingBytes
  ) throws(RTMPError) -> UInt32? {
    guard message.payload.count >= 6 else { return nil }
    let number = try message.number(at: 2)
    switch UInt32(message.payload[0]) << 8 | UInt32(message.payload[1]) {
    case 6: writeUserControl(7, number, in: &output)
    case 7: return number
    default: break
    }
    return nil
  }

  /// Answers the peer's bandwidth, with at most `limit`.
  mutating func answerBandwidth(
    _ message: RTMPMessage, limit: UInt32?, in output: inout OutgoingBytes
  ) throws(RTMPError) {
    let size = try message.number()
    write(.windowAcknowledgementSize, on: 2, number: min(size, limit ?? size), in: &output)
  }
}
