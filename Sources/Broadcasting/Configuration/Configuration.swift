public import MediaModel
public import Publishing
public import Recording

/// Everything that a broadcast is told before it starts.
public struct Configuration: Hashable, Sendable {
  public var name = "holdfast"
  public var video = VideoSelection.automatic
  public var audio = AudioSelection.automatic
  /// The folder that the recording goes to; nil for no recording.
  public var recordingDirectory: String? = "recordings"
  /// Where it is published to.
  public var outputs: [OutputRequest] = []
  /// `live`, or `record`, which becomes `append` once a server has accepted the broadcast.
  public var publishType = PublishType.record
  public var outage = OutagePolicy.live
  public var connectTimeout = MediaTime.seconds(5)
  public var stallTimeout = MediaTime.seconds(3)
  /// An output that could not be brought back for so long is given up; nil for never.
  public var giveUpAfter: MediaTime?
  /// The picture's bitrate follows what the networks can carry.
  public var adaptsBitrate = true
  /// The lowest that it may come to; nil for a fifth of `bitrate`.
  public var minBitrate: Int?
  /// Certificates to be trusted besides those of the system.
  public var tlsCA: String?
  /// Any certificate is taken.
  public var tlsInsecure = false
  public var rtspTransport = RTSPSink.Transport.tcp
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
  /// Devices are opened and looked at; the broadcast waits for a command.
  public var preview = false

  /// How long an interruption may last and still be resumed.
  public var resumeWindow = MediaTime.seconds(120)
  /// What becomes of the session, at which the broadcast is interrupted.
  public var interruptOn: Set<SessionState> = []
  /// What a start does about a broadcast that came to a sudden end.
  public var afterCrash = AfterCrash.askNever

  /// When a recording goes on in a new file; nil for never.
  public var segment: SegmentLength?
  /// What the shell runs for each finished recording.
  public var onSegment: String?
  /// How long the end of the program waits for it.
  public var onSegmentWait = MediaTime.seconds(10)
  /// Finished recordings that are older, or more than that in all, are deleted; nil to keep them.
  public var keepAge: MediaTime?
  public var keepSize: Int?
  /// Bytes that the recording leaves free on its disk; 0 for none.
  public var diskReserve = 256 << 20
  /// How often what was recorded is made to outlive a power cut.
  public var syncEvery = MediaTime.seconds(1)
  /// An interruption leaves a hole of its length in the recording.
  public var keepGaps = false
  /// How long a disk may stand still before anything is lost.
  public var recordQueue = MediaTime.seconds(20)

  /// How long a session may last from when it goes live; nil for as long as it likes.
  public var maxDuration: MediaTime?
  /// And with all that it is extended by; nil for any time.
  public var maxTotal: MediaTime?
  /// So long before its end it is said that it comes.
  public var alertBefore = MediaTime.seconds(60)
  /// A session's time goes on while it is interrupted.
  public var countInterruptions = true
  /// What the shell runs to know whether a broadcast may go live.
  public var gate: String?
  /// Somebody has to say that it may, over the control API.
  public var awaitReady = false
  public var gateTimeout = MediaTime.seconds(5)
  public var onGateTimeout = SilentGate.pass
  /// The gate is asked before an interrupted broadcast goes on, too.
  public var gateOnResume = false

  /// Where it can be controlled over TCP, `HOST:PORT`; nil for on its own socket alone.
  public var listen: String?
  /// The file with what tokens are signed with.
  public var tokenSecret: String?
  /// The certificate, with all that leads to its root, and its key: TLS where it listens.
  public var tlsCert: String?
  public var tlsKey: String?

  public static let audioFormat = AudioFormat(sampleRate: 48_000, channels: 2)

  public init() {}

  /// The name of each setting, as configuration files and errors write it.
  public enum Setting: String, Hashable, Sendable, CaseIterable {
    case name, video, audio, record, duration, resumeWindow, afterCrash, events, size, fps, bitrate, gop,
      videoCodec,
      encoder,
      audioCodec, audioBitrate, loop, preview
    case to, publishType, outage, connectTimeout, stallTimeout, giveUpAfter, adaptive, minBitrate, tlsCa,
      tlsInsecure, rtspTransport
    case interruptOn
    case maxDuration, maxTotal, alertBefore, countInterruptions
    case listen, tokenSecret, tlsCert, tlsKey
    case gate, awaitReady, gateTimeout, onGateTimeout, gateOnResume
    case segment, onSegment, onSegmentWait, keepAge, keepSize, diskReserve, syncEvery, keepGaps, recordQueue
  }
}

/// What a gate's silence means.
public enum SilentGate: String, Hashable, Sendable, CaseIterable {
  case pass, refuse
}

/// What may become of the session at the machine's screen.
public enum SessionState: String, Hashable, Sendable, CaseIterable {
  case lock
  /// Another session has the screen.
  case inactive
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
