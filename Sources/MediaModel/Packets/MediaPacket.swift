/// An encoded picture or audio packet.
///
/// H.264 and HEVC are NAL units with four-byte lengths, without parameter sets; AV1 is a temporal unit; AAC
/// and Opus are raw.
package struct MediaPacket: Hashable, Sendable {
  package let track: TrackKind
  package var decodeTime: MediaTime
  package var presentationTime: MediaTime
  package var duration: MediaTime
  /// Whether decoding can start here; true for audio.
  package let isKeyframe: Bool
  package let bytes: [UInt8]
  /// The headers that decoding takes from this keyframe on; nil for the track's.
  package var headers: [UInt8]?

  package init(
    track: TrackKind, decodeTime: MediaTime, presentationTime: MediaTime, duration: MediaTime,
    isKeyframe: Bool, bytes: [UInt8], headers: [UInt8]? = nil
  ) {
    self.track = track
    self.decodeTime = decodeTime
    self.presentationTime = presentationTime
    self.duration = duration
    self.isKeyframe = isKeyframe
    self.bytes = bytes
    self.headers = headers
  }
}

/// A receiver of packets; `offer` never blocks.
package protocol PacketReceiver: Sendable {
  /// Called before the track's first packet, and again before one that needs other headers: for pictures a keyframe.
  func offer(_ track: Track)
  func offer(_ packet: MediaPacket)
}
