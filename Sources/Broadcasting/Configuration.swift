public import MediaModel

/// Everything that a broadcast is told before it starts.
public struct Configuration: Hashable, Sendable {
  public var name = "holdfast"
  public var video = VideoSelection.automatic
  public var audio = AudioSelection.automatic
  /// The folder that the recording goes to; nil for no recording.
  public var recordingDirectory: String? = "recordings"
  /// When the broadcast ends by itself; nil for when it is stopped.
  public var duration: MediaTime?
  /// The file that event lines are added to, `-` for standard output.
  public var events: String?
  public var size = PictureSize(width: 1280, height: 720)
  public var frameRate = FrameRate.thirty
  public var bitrate = 2_500_000
  /// From one keyframe to the next.
  public var gop = MediaTime.seconds(2)
  public var videoCodec = Codec.h264
  public var encoder = EncoderChoice.auto
  public var audioCodec = Codec.aac
  public var audioBitrate = 128_000
  /// Files begin again when they have come to their end.
  public var loop = false

  public static let audioFormat = AudioFormat(sampleRate: 48_000, channels: 2)

  public init() {}

  /// The name of each setting, as configuration files and errors write it.
  public enum Setting: String, Hashable, Sendable, CaseIterable {
    case name, video, audio, record, duration, events, size, fps, bitrate, gop, videoCodec, encoder,
      audioCodec
    case audioBitrate, loop
  }
}

/// What encodes the picture.
public enum EncoderChoice: String, Hashable, Sendable, CaseIterable {
  case auto, x264, vaapi, qsv, nvenc, v4l2m2m
  /// Nothing: the source gives encoded pictures.
  case copy

  /// Whether it can give `codec` at all, on any machine.
  public func canMake(_ codec: Codec) -> Bool {
    switch self {
    case .auto, .vaapi, .qsv, .nvenc, .copy: codec.kind == .video
    case .x264, .v4l2m2m: codec == .h264
    }
  }
}
