/// One encoded picture or one encoded piece of sound: a plain value that every output may keep.
///
/// H.264 and HEVC come as NAL units with a four-byte length in front of each, AV1 as a temporal unit, AAC and
/// Opus raw. The parameter sets stand in the track's headers.
package struct MediaPacket: Hashable, Sendable {
  package let track: TrackKind
  package var decodeTime: MediaTime
  package var presentationTime: MediaTime
  package var duration: MediaTime
  /// A receiver can begin here. True of every audio packet.
  package let isKeyframe: Bool
  package let bytes: [UInt8]

  package init(
    track: TrackKind, decodeTime: MediaTime, presentationTime: MediaTime, duration: MediaTime,
    isKeyframe: Bool,
    bytes: [UInt8]
  ) {
    self.track = track
    self.decodeTime = decodeTime
    self.presentationTime = presentationTime
    self.duration = duration
    self.isKeyframe = isKeyframe
    self.bytes = bytes
  }
}
