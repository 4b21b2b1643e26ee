/// Receives the encoded packets of a broadcast, in addition to the servers and the recording.
///
/// All methods of a sink are called on one dedicated thread, so they may block. Packets that do not fit
/// into the queue of a slow sink are dropped and reported to it; nothing else waits for it.
public protocol PacketSink: Sendable {
  /// Called before the track's first packet in each broadcast, and again before one that needs other headers, as a copied
  /// source may change them.
  func beginTrack(_ track: Track)
  /// Called for each packet, in the order of encoding.
  func receive(_ packet: Packet)
  /// Called after packets were dropped. If these include video, the next video packet is a keyframe.
  func reportDropped(_ packets: Int)
  /// Called after the last packet of a broadcast; another broadcast may follow.
  func endBroadcast(_ report: Report)
  /// Called last, before `run()` returns.
  func end()
}

extension PacketSink {
  /// Ignores the loss.
  public func reportDropped(_ packets: Int) {}
  /// Ignores the end of a broadcast.
  public func endBroadcast(_ report: Report) {}
  /// Ignores the end.
  public func end() {}
}
