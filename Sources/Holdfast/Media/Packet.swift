import HoldfastMediaModel

/// The kinds of tracks; a broadcast has at most one of each.
public enum TrackKind: String, Hashable, Sendable, CaseIterable {
  case video, audio
}

/// The format of a track, which a sink receives before the track's first packet.
public struct Track: Hashable, Sendable {
  /// The codec and its parameters.
  public enum Format: Hashable, Sendable {
    case video(VideoCodec, PictureSize, FrameRate)
    case audio(AudioCodec, SoundFormat)
  }

  public let kind: TrackKind
  public let format: Format
  /// The codec configuration as stored in MP4: `avcC`, `hvcC`, `av1C`, AudioSpecificConfig or OpusHead.
  public let headers: [UInt8]

  /// Creates a track for the test of a sink; `format` decides its kind.
  public init(_ format: Format, headers: [UInt8]) {
    kind = if case .video = format { .video } else { .audio }
    (self.format, self.headers) = (format, headers)
  }

  init(_ inner: HoldfastMediaModel.Track) {
    kind = TrackKind(as: inner.kind)
    format =
      switch inner.format {
      case .video(let video):
        .video(VideoCodec(as: inner.codec), PictureSize(inner: video.size), FrameRate(inner: video.frameRate))
      case .audio(let audio):
        .audio(
          AudioCodec(as: inner.codec), SoundFormat(sampleRate: audio.sampleRate, channels: audio.channels))
      }
    headers = inner.headers
  }
}

/// One encoded picture or audio frame.
///
/// H.264 and HEVC are NAL units, each with a four-byte length prefix; AV1 is a temporal unit; AAC and Opus
/// are raw.
public struct Packet: Hashable, Sendable {
  let inner: MediaPacket

  init(inner: MediaPacket) { self.inner = inner }

  /// Creates a packet for the test of a sink.
  public init(
    _ trackKind: TrackKind, at time: Duration, duration: Duration, isKeyframe: Bool, bytes: [UInt8]
  ) {
    inner = MediaPacket(
      track: trackKind == .video ? .video : .audio, decodeTime: MediaTime(time),
      presentationTime: MediaTime(time), duration: MediaTime(duration), isKeyframe: isKeyframe, bytes: bytes)
  }

  public var trackKind: TrackKind { TrackKind(as: inner.track) }
  /// The time on the broadcast's timeline, which begins at 0 and pauses during interruptions.
  public var presentationTime: Duration { Duration(inner.presentationTime) }
  public var decodeTime: Duration { Duration(inner.decodeTime) }
  public var duration: Duration { Duration(inner.duration) }
  /// Whether decoding can start here; always true for sound.
  public var isKeyframe: Bool { inner.isKeyframe }
  public var bytes: [UInt8] { inner.bytes }
}
