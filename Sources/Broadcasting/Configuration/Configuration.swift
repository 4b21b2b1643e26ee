package import HoldfastLifecycle
package import HoldfastMediaModel
package import HoldfastPublishing
package import HoldfastRecording

package struct Configuration: Hashable, Sendable {
  package var name = "holdfast"
  package var video = Video()
  package var audio = Audio()
  package var loop = false
  package var programme = Programme()
  /// The jitter buffer of network sources.
  package var sourceLatency = MediaTime.milliseconds(300)
  package var outputs = Outputs()
  package var recording = Recording()
  /// Further encodes of the pictures, by the names that outputs choose them by.
  package var renditions: [String: Rendition] = [:]
  package var session = Session()
  /// Receive the packets in addition to the recording and the outputs.
  package var receivers: [Supplied<any PacketReceiver>] = []

  package static let audioFormat = AudioFormat(sampleRate: 48_000, channels: 2)

  package init() {}

  package struct Video: Hashable, Sendable {
    package var source = VideoSelection.device(nil)
    package var size = PictureSize(width: 1280, height: 720)
    /// The size at which a running source delivers its pictures; nil for the largest rendition's.
    var captureSize: PictureSize?
    package var frameRate = FrameRate.thirty
    package var codec = Codec.h264
    package var encoder = EncoderChoice.auto
    package var bitrate = 2_500_000
    /// The lower limit of the adaptive bitrate; nil for a fifth of `bitrate`.
    package var minBitrate: Int?
    package var gop = MediaTime.seconds(2)
  }

  package struct Audio: Hashable, Sendable {
    package var source = AudioSelection.device(nil)
    package var codec = Codec.aac
    package var bitrate = 128_000
  }

  /// Output addresses, and defaults for the settings of each output.
  package struct Outputs: Hashable, Sendable {
    package var requests: [OutputRequest] = []
    package var publishType = PublishType.record
    package var outage = OutagePolicy.live
    package var connectTimeout = MediaTime.seconds(5)
    package var stallTimeout = MediaTime.seconds(3)
    /// The outage after which an output is given up; nil for never.
    package var giveUpAfter: MediaTime?
    /// Which outputs have to publish for a broadcast to count as delivered.
    package var required = RequiredOutputs.any
    package var bitrateAdaptation = BitrateAdaptation.automatic
    package var tlsCA: String?
    /// Accepts any certificate.
    package var tlsInsecure = false
    package var rtspTransport = RTSPSink.Transport.tcp
    /// Sends passwords unencrypted to servers that ask for them.
    package var insecureAuth = false
  }

  package struct Recording: Hashable, Sendable {
    /// The folder of the files; nil for no recording.
    package var directory: String? = "recordings"
    package var rendition = Rendition()
    /// The length after which the recording continues in a new file; nil for never.
    package var segment: SegmentLength?
    /// The shell command run for each finished recording.
    package var onSegment: String?
    /// How long the exit of the program waits for `onSegment`.
    package var onSegmentWait = MediaTime.seconds(10)
    /// Finished recordings beyond this age or total size are deleted; nil keeps them.
    package var keepAge: MediaTime?
    package var keepSize: Int?
    /// Bytes left free on the recording's disk; 0 for no reserve.
    package var diskReserve = 256 << 20
    /// The permissions of new files, less what the umask takes away.
    package var mode: UInt32 = 0o640
    /// The interval at which the recording is synced to disk.
    package var syncEvery = MediaTime.seconds(1)
    /// Leaves a hole in the recording for the duration of each interruption.
    package var keepGaps = false
    /// How long a disk may stall before media is lost.
    package var queue = MediaTime.seconds(20)
  }

  /// The length of a broadcast, its interruptions and its gate.
  package struct Session: Hashable, Sendable {
    package var duration: MediaTime?
    /// How long a broadcast without a recording waits for its first output; nil for ever.
    package var startTimeout: MediaTime?
    /// The longest interruption that can be resumed.
    package var resumeWindow = MediaTime.seconds(120)
    /// What a start does about a broadcast interrupted by a crash.
    package var afterCrash = AfterCrash.withinWindow
    /// A start waits for devices that are missing; with one of them it begins without the other.
    package var waitsForDevices = false
    /// Opens the devices at start; the broadcast waits for a command.
    package var preview = false
    package var timer = SessionTimer.Settings()
    package var gate = Gate()
  }

  package struct Gate: Hashable, Sendable {
    package var command: String?
    /// Requires approval over the control API.
    package var awaitsReady = false
    /// The application supplies a gate of its own.
    package var isSupplied = false
    /// Other members of a session have to be ready.
    package var awaitsOthers = false
    /// Nil for the usual one.
    package var timeout: MediaTime?
    package var onTimeout = GateTimeoutPolicy.pass
    /// Asks the gate again before an interrupted broadcast resumes.
    package var onResume = false

    /// People take longer than a program.
    package var limit: MediaTime { timeout ?? (awaitsOthers ? .seconds(120) : .seconds(5)) }
  }

  package enum Setting: String, Hashable, Sendable, CaseIterable {
    case name, video, audio, record, duration, resumeWindow, afterCrash, size, fps, bitrate, gop, videoCodec,
      encoder, audioCodec, audioBitrate, loop, sourceLatency, preview, waitForDevices, renditions, recordSize,
      recordBitrate, recordEncoder
    case tile, layout, spotlight, fill, transition
    case to, publishType, outage, connectTimeout, stallTimeout, giveUpAfter, startTimeout, requireOutputs,
      adaptive, minBitrate, tlsCa, tlsInsecure, rtspTransport, insecureAuth
    case maxDuration, maxTotal, alertBefore, countInterruptions
    case gate, awaitReady, gateTimeout, onGateTimeout, gateOnResume
    case segment, onSegment, onSegmentWait, keepAge, keepSize, diskReserve, recordMode, syncEvery, keepGaps,
      recordQueue
  }
}

package enum RequiredOutputs: String, Hashable, Sendable, CaseIterable {
  case any, all
}

/// The verdict assumed when a gate times out.
package enum GateTimeoutPolicy: String, Hashable, Sendable, CaseIterable {
  case pass, refuse
}

extension Configuration {
  /// The settings that can't change while a broadcaster runs.
  package static let fixedSettings = Set(Configuration().fixedValues.map(\.key))

  /// The changed settings of those that can't change while a broadcaster runs.
  package func fixedSettings(changedFrom old: Configuration) -> [Setting] {
    zip(fixedValues, old.fixedValues).filter { $0.value != $1.value }.map(\.0.key)
  }

  private var fixedValues: KeyValuePairs<Setting, AnyHashable> {
    [
      .name: name, .preview: session.preview, .waitForDevices: session.waitsForDevices,
      .afterCrash: session.afterCrash,
      .onSegment: recording.onSegment, .onSegmentWait: recording.onSegmentWait,
      .keepAge: recording.keepAge, .keepSize: recording.keepSize,
      .maxDuration: session.timer.maxDuration, .maxTotal: session.timer.maxTotal,
      .alertBefore: session.timer.alertBefore, .countInterruptions: session.timer.countsInterruptions,
      .gate: session.gate.command, .awaitReady: session.gate.awaitsReady,
      .gateTimeout: session.gate.timeout, .onGateTimeout: session.gate.onTimeout,
      .gateOnResume: session.gate.onResume, .startTimeout: session.startTimeout,
    ]
  }

  /// This configuration with the settings of `old` that can't change while a process runs.
  package func replacing(_ old: Configuration) -> Configuration {
    var configuration = self
    configuration.name = old.name
    configuration.session.preview = old.session.preview
    configuration.session.afterCrash = old.session.afterCrash
    return configuration
  }

  /// The settings that determine the sources; all others are defaults.
  var sources: Configuration { Configuration().with(sourcesOf: self) }

  func with(sourcesOf other: Configuration) -> Configuration {
    var configuration = self
    configuration.video.source = other.video.source
    configuration.audio.source = other.audio.source
    configuration.video.size = other.video.size
    configuration.video.captureSize = other.capturedSize
    configuration.video.frameRate = other.video.frameRate
    configuration.video.encoder = other.video.encoder
    configuration.loop = other.loop
    configuration.programme = other.programme
    configuration.sourceLatency = other.sourceLatency
    configuration.outputs.connectTimeout = other.outputs.connectTimeout
    configuration.outputs.stallTimeout = other.outputs.stallTimeout
    configuration.outputs.tlsCA = other.outputs.tlsCA
    configuration.outputs.tlsInsecure = other.outputs.tlsInsecure
    configuration.outputs.rtspTransport = other.outputs.rtspTransport
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
    settings.startTimeout = session.startTimeout
    // A copied source has no stand-in to begin with.
    settings.waitsForDevices = session.waitsForDevices || video.encoder == .copy && video.source.isNetwork
    settings.hasGate = hasGate
    settings.gateTimeout = session.gate.limit
    settings.passesOnGateTimeout = session.gate.onTimeout == .pass
    settings.asksGateOnResume = session.gate.onResume
    return settings
  }
}
