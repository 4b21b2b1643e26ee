package import HoldfastLifecycle
package import HoldfastMediaModel
package import HoldfastPublishing
package import HoldfastRecording

/// Everything that a broadcast is told before it starts, by subject.
package struct Configuration: Hashable, Sendable {
  package var name = "holdfast"
  package var video = Video()
  package var audio = Audio()
  /// Files begin again when they have come to their end.
  package var loop = false
  package var outputs = Outputs()
  package var recording = Recording()
  package var session = Session()
  /// Get the packets besides the recording and the outputs.
  package var receivers: [Supplied<any PacketReceiver>] = []

  package static let audioFormat = AudioFormat(sampleRate: 48_000, channels: 2)

  package init() {}

  package struct Video: Hashable, Sendable {
    package var source = VideoSelection.automatic
    package var size = PictureSize(width: 1280, height: 720)
    package var frameRate = FrameRate.thirty
    package var codec = Codec.h264
    package var encoder = EncoderChoice.auto
    package var bitrate = 2_500_000
    /// The lowest that the bitrate may come to; nil for a fifth of `bitrate`.
    package var minBitrate: Int?
    /// From one keyframe to the next.
    package var gop = MediaTime.seconds(2)
  }

  package struct Audio: Hashable, Sendable {
    package var source = AudioSelection.automatic
    package var codec = Codec.aac
    package var bitrate = 128_000
  }

  /// Where it is published to, and what holds for every output that has no setting of its own.
  package struct Outputs: Hashable, Sendable {
    package var requests: [OutputRequest] = []
    /// `live`, or `record`, which becomes `append` once a server has accepted the broadcast.
    package var publishType = PublishType.record
    package var outage = OutagePolicy.live
    package var connectTimeout = MediaTime.seconds(5)
    package var stallTimeout = MediaTime.seconds(3)
    /// An output that could not be brought back for so long is given up; nil for never.
    package var giveUpAfter: MediaTime?
    /// The picture's bitrate follows what the networks can carry.
    package var adaptsBitrate = true
    /// Certificates to be trusted besides those of the system.
    package var tlsCA: String?
    /// Any certificate is taken.
    package var tlsInsecure = false
    package var rtspTransport = RTSPSink.Transport.tcp
  }

  /// The recording's files and their disk.
  package struct Recording: Hashable, Sendable {
    /// The folder of the files; nil for no recording.
    package var directory: String? = "recordings"
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
    package var queue = MediaTime.seconds(20)
  }

  /// How long a broadcast may last, what becomes of it when it is interrupted, and who is asked before.
  package struct Session: Hashable, Sendable {
    /// When the broadcast ends by itself; nil for when it is stopped.
    package var duration: MediaTime?
    /// How long an interruption may last and still be resumed.
    package var resumeWindow = MediaTime.seconds(120)
    /// What a start does about a broadcast that came to a sudden end.
    package var afterCrash = AfterCrash.withinWindow
    /// Devices are opened and looked at; the broadcast waits for a command.
    package var preview = false
    /// How long a session may last from when it goes live.
    package var timer = SessionTimer.Settings()
    package var gate = Gate()
  }

  package struct Gate: Hashable, Sendable {
    /// What the shell runs to know whether a broadcast may go live.
    package var command: String?
    /// Somebody has to say that it may, over the control API.
    package var awaitsReady = false
    package var timeout = MediaTime.seconds(5)
    package var onTimeout = SilentGate.pass
    /// The gate is asked before an interrupted broadcast goes on, too.
    package var onResume = false
  }

  /// The name of each setting, as configuration files and errors write it.
  package enum Setting: String, Hashable, Sendable, CaseIterable {
    case name, video, audio, record, duration, resumeWindow, afterCrash, size, fps, bitrate, gop, videoCodec,
      encoder, audioCodec, audioBitrate, loop, preview
    case to, publishType, outage, connectTimeout, stallTimeout, giveUpAfter, adaptive, minBitrate, tlsCa,
      tlsInsecure, rtspTransport
    case maxDuration, maxTotal, alertBefore, countInterruptions
    case gate, awaitReady, gateTimeout, onGateTimeout, gateOnResume
    case segment, onSegment, onSegmentWait, keepAge, keepSize, diskReserve, syncEvery, keepGaps, recordQueue
  }
}

/// What a gate's silence means.
package enum SilentGate: String, Hashable, Sendable, CaseIterable {
  case pass, refuse
}

extension Configuration {
  /// This configuration in the place of `old`: what can't change while a process runs stays as it was.
  package func replacing(_ old: Configuration) -> Configuration {
    var configuration = self
    configuration.name = old.name
    configuration.session.preview = old.session.preview
    configuration.session.afterCrash = old.session.afterCrash
    return configuration
  }

  /// What says which sources there are; all else is as by default.
  var sources: Configuration { Configuration().with(sourcesOf: self) }

  func with(sourcesOf other: Configuration) -> Configuration {
    var configuration = self
    configuration.video.source = other.video.source
    configuration.audio.source = other.audio.source
    configuration.video.size = other.video.size
    configuration.video.frameRate = other.video.frameRate
    configuration.video.encoder = other.video.encoder
    configuration.loop = other.loop
    return configuration
  }

  var sessionSettings: SessionTimer.Settings {
    var settings = session.timer
    settings.maxDuration = settings.maxDuration ?? settings.maxTotal
    return settings
  }

  func lifecycleSettings(hasGate: Bool) -> Lifecycle.Settings {
    var settings = Lifecycle.Settings()
    settings.resumeWindow = session.resumeWindow
    settings.hasGate = hasGate
    settings.gateLimit = session.gate.timeout
    settings.passesSilentGate = session.gate.onTimeout == .pass
    settings.asksGateAgain = session.gate.onResume
    return settings
  }
}
