package import HoldfastMediaModel
package import HoldfastPublishing
package import HoldfastRecording

/// Everything that a broadcast is told before it starts.
package struct Configuration: Hashable, Sendable {
  package var name = "holdfast"
  package var video = VideoSelection.automatic
  package var audio = AudioSelection.automatic
  /// The folder that the recording goes to; nil for no recording.
  package var recordingDirectory: String? = "recordings"
  /// Where it is published to.
  package var outputs: [OutputRequest] = []
  /// `live`, or `record`, which becomes `append` once a server has accepted the broadcast.
  package var publishType = PublishType.record
  package var outage = OutagePolicy.live
  package var connectTimeout = MediaTime.seconds(5)
  package var stallTimeout = MediaTime.seconds(3)
  /// An output that could not be brought back for so long is given up; nil for never.
  package var giveUpAfter: MediaTime?
  /// The picture's bitrate follows what the networks can carry.
  package var adaptsBitrate = true
  /// The lowest that it may come to; nil for a fifth of `bitrate`.
  package var minBitrate: Int?
  /// Certificates to be trusted besides those of the system.
  package var tlsCA: String?
  /// Any certificate is taken.
  package var tlsInsecure = false
  package var rtspTransport = RTSPSink.Transport.tcp
  /// When the broadcast ends by itself; nil for when it is stopped.
  package var duration: MediaTime?
  /// The file that event lines are added to, `-` for standard output.
  package var events: String?
  package var size = PictureSize(width: 1280, height: 720)
  package var frameRate = FrameRate.thirty
  package var bitrate = 2_500_000
  /// From one keyframe to the next.
  package var gop = MediaTime.seconds(2)
  package var videoCodec = Codec.h264
  package var encoder = EncoderChoice.auto
  package var audioCodec = Codec.aac
  package var audioBitrate = 128_000
  /// Files begin again when they have come to their end.
  package var loop = false
  /// Devices are opened and looked at; the broadcast waits for a command.
  package var preview = false

  /// How long an interruption may last and still be resumed.
  package var resumeWindow = MediaTime.seconds(120)
  /// What becomes of the session, at which the broadcast is interrupted.
  package var interruptOn: Set<SessionState> = []
  /// What a start does about a broadcast that came to a sudden end.
  package var afterCrash = AfterCrash.withinWindow

  /// When a recording goes on in a new file; nil for never.
  package var segment: SegmentLength?
  /// What the shell runs for each finished recording.
  package var onSegment: String?
  /// How long the end of the program waits for it.
  package var onSegmentWait = MediaTime.seconds(10)
  /// Finished recordings that are older, or more than that in all, are deleted; nil to keep them.
  package var keepAge: MediaTime?
  package var keepSize: Int?
  /// Bytes that the recording leaves free on its disk; 0 for none.
  package var diskReserve = 256 << 20
  /// How often what was recorded is made to outlive a power cut.
  package var syncEvery = MediaTime.seconds(1)
  /// An interruption leaves a hole of its length in the recording.
  package var keepGaps = false
  /// How long a disk may stand still before anything is lost.
  package var recordQueue = MediaTime.seconds(20)

  /// How long a session may last from when it goes live; nil for as long as it likes.
  package var maxDuration: MediaTime?
  /// And with all that it is extended by; nil for any time.
  package var maxTotal: MediaTime?
  /// So long before its end it is said that it comes.
  package var alertBefore = MediaTime.seconds(60)
  /// A session's time goes on while it is interrupted.
  package var countInterruptions = true
  /// What the shell runs to know whether a broadcast may go live.
  package var gate: String?
  /// Somebody has to say that it may, over the control API.
  package var awaitReady = false
  package var gateTimeout = MediaTime.seconds(5)
  package var onGateTimeout = SilentGate.pass
  /// The gate is asked before an interrupted broadcast goes on, too.
  package var gateOnResume = false

  /// Where it can be controlled over TCP, `HOST:PORT`; nil for on its own socket alone.
  package var listen: String?
  /// The file with what tokens are signed with.
  package var tokenSecret: String?
  /// The certificate, with all that leads to its root, and its key: TLS where it listens.
  package var tlsCert: String?
  package var tlsKey: String?

  package static let audioFormat = AudioFormat(sampleRate: 48_000, channels: 2)

  package init() {}

  /// The name of each setting, as configuration files and errors write it.
  package enum Setting: String, Hashable, Sendable, CaseIterable {
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
package enum SilentGate: String, Hashable, Sendable, CaseIterable {
  case pass, refuse
}

/// What may become of the session at the machine's screen.
package enum SessionState: String, Hashable, Sendable, CaseIterable {
  case lock
  /// Another session has the screen.
  case inactive
}

/// What encodes the picture.
package enum EncoderChoice: String, Hashable, Sendable, CaseIterable {
  case auto, x264, vaapi, qsv, nvenc, v4l2m2m
  /// Nothing: the source gives encoded pictures.
  case copy

  /// Whether it can give `codec` at all, on any machine.
  package func canMake(_ codec: Codec) -> Bool {
    switch self {
    case .auto, .vaapi, .qsv, .nvenc, .copy: codec.kind == .video
    case .x264, .v4l2m2m: codec == .h264
    }
  }
}
