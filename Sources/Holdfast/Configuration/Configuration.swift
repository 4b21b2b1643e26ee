import HoldfastBroadcasting
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPublishing
import HoldfastRecording

private let defaults = HoldfastBroadcasting.Configuration()

/// All settings of a broadcaster, by subject.
public struct Configuration: Hashable, Sendable {
  /// The broadcast's name in recordings and event lines: 1 to 64 of a-z, A-Z, 0-9 and . _ -
  public var name = defaults.name
  public var video = Video()
  public var audio = Audio()
  public var outputs = Outputs()
  public var recording = Recording()
  public var session = Session()

  /// The defaults of `holdfast publish`: the camera and the microphone if present, else test signals;
  /// 1280x720, recorded.
  public init() {}

  /// The source and the encoding of the picture.
  public struct Video: Hashable, Sendable {
    public var source = VideoSelection(inner: defaults.video.source)
    public var size = PictureSize(inner: defaults.video.size)
    public var frameRate = FrameRate(inner: defaults.video.frameRate)
    public var codec = VideoCodec(as: defaults.video.codec)
    public var encoder = VideoEncoder(as: defaults.video.encoder)
    /// In bits per second.
    public var bitrate = defaults.video.bitrate
    /// The lower limit of bitrate adaptation, in bits per second; nil for a fifth of `bitrate`.
    public var minBitrate: Int?
    /// The time between two keyframes.
    public var keyframeInterval = Duration(defaults.video.gop)
    /// Restarts a file, including its sound, when it ends.
    public var isLooped = defaults.loop
  }

  /// The source and the encoding of the sound.
  public struct Audio: Hashable, Sendable {
    public var source = AudioSelection(inner: defaults.audio.source)
    public var codec = AudioCodec(as: defaults.audio.codec)
    /// In bits per second.
    public var bitrate = defaults.audio.bitrate
  }

  /// The servers, and the settings for those without settings of their own.
  public struct Outputs: Hashable, Sendable {
    public var list: [Output] = []
    public var publishKind = PublishKind(as: defaults.outputs.publishType)
    public var outage = OutagePolicy(as: defaults.outputs.outage)
    /// The time limit for connecting and being accepted.
    public var connectTimeout = Duration(defaults.outputs.connectTimeout)
    /// The time without progress after which a server is reconnected.
    public var stallTimeout = Duration(defaults.outputs.stallTimeout)
    /// The time after which an output that cannot be restored is abandoned; nil for never.
    public var giveUpAfter: Duration?
    /// Adapts the video bitrate to what the network can carry.
    public var adaptsBitrate = defaults.outputs.adaptsBitrate
    /// A PEM file of certificates to trust in addition to the system's.
    public var certificateFile: String?
    /// Accepts any certificate, so that anyone on the network path can read and alter the stream.
    public var skipsCertificateCheck = defaults.outputs.tlsInsecure
    public var rtspTransport = RTSPTransport(as: defaults.outputs.rtspTransport)
  }

  /// The recording's files and disk.
  public struct Recording: Hashable, Sendable {
    /// The folder of the recordings; nil to record nothing.
    public var directory = defaults.recording.directory
    /// When to start a new file; nil for never.
    public var segment: SegmentLength?
    /// A shell command to run for each finished file, whose path is `$1`.
    public var onSegment: String?
    /// How long `run()` waits at the end for such a command.
    public var onSegmentTimeout = Duration(defaults.recording.onSegmentWait)
    /// The age at which finished recordings are deleted; nil to keep them.
    public var keepAge: Duration?
    /// The total size in bytes above which the oldest finished recordings are deleted; nil to keep them.
    public var keepSize: Int?
    /// The bytes to leave free on the disk.
    public var diskReserve = defaults.recording.diskReserve
    /// How often recorded data is synchronized to the disk, so that it survives a power cut.
    public var syncInterval = Duration(defaults.recording.syncEvery)
    /// Leaves a gap in the recording's timeline for each interruption.
    public var keepsGaps = defaults.recording.keepGaps
    /// How long the disk may stall before media is lost.
    public var queue = Duration(defaults.recording.queue)
  }

  /// The time limits and the gate of a broadcast.
  public struct Session: Hashable, Sendable {
    /// How long the broadcast lasts; nil until it is stopped.
    public var duration: Duration?
    /// The longest interruption that can still be resumed.
    public var resumeWindow = Duration(defaults.session.resumeWindow)
    /// What happens to an unfinished broadcast of this name left by an earlier process; nil for nothing.
    ///
    /// With a policy a journal is kept below `$XDG_STATE_HOME` or `$HOME` of the broadcaster's `environment`.
    public var afterCrash: CrashPolicy?
    /// Opens the devices and waits for `start()`.
    public var beginsWithPreview = defaults.session.preview
    /// The maximum length of a session after it goes live; nil for no limit.
    public var maxDuration: Duration?
    /// The maximum length including all extensions; nil for no limit.
    public var maxTotal: Duration?
    /// How long before its end the session sends an alert.
    public var alertBefore = Duration(defaults.session.timer.alertBefore)
    /// Counts interruptions as part of the session's time.
    public var countsInterruptions = defaults.session.timer.countsInterruptions
    /// A shell command run as a gate, in addition to the one in code.
    public var gateCommand: String?
    /// The time limit for a verdict.
    public var gateTimeout = Duration(defaults.session.gate.timeout)
    /// What a missing verdict means.
    public var onGateTimeout = SilentGatePolicy(as: defaults.session.gate.onTimeout)
    /// Consults the gate before resuming an interrupted broadcast, too.
    public var asksGateOnResume = defaults.session.gate.onResume
  }
}

extension Configuration {
  /// Throws if a setting is invalid or two settings conflict.
  func checked(receivers: [Supplied<any PacketReceiver>]) throws(ConfigurationError)
    -> HoldfastBroadcasting.Configuration
  {
    var inner = defaults
    inner.name = name
    inner.receivers = receivers
    apply(video, audio, to: &inner)
    apply(outputs, to: &inner.outputs)
    apply(recording, to: &inner.recording)
    apply(session, to: &inner.session)
    do { try inner.validate() } catch { throw ConfigurationError(error) }
    return inner
  }

  private func apply(_ video: Video, _ audio: Audio, to inner: inout HoldfastBroadcasting.Configuration) {
    inner.loop = video.isLooped
    inner.video.source = video.source.inner
    inner.video.size = video.size.inner
    inner.video.frameRate = video.frameRate.inner
    inner.video.codec = Codec(as: video.codec)
    inner.video.encoder = EncoderChoice(as: video.encoder)
    inner.video.bitrate = video.bitrate
    inner.video.minBitrate = video.minBitrate
    inner.video.gop = MediaTime(video.keyframeInterval)
    inner.audio.source = audio.source.inner
    inner.audio.codec = Codec(as: audio.codec)
    inner.audio.bitrate = audio.bitrate
  }

  private func apply(_ outputs: Outputs, to inner: inout HoldfastBroadcasting.Configuration.Outputs) {
    inner.requests = outputs.list.map(\.inner)
    inner.publishType = PublishType(as: outputs.publishKind)
    inner.outage = .init(as: outputs.outage)
    inner.connectTimeout = MediaTime(outputs.connectTimeout)
    inner.stallTimeout = MediaTime(outputs.stallTimeout)
    inner.giveUpAfter = outputs.giveUpAfter.map(MediaTime.init)
    inner.adaptsBitrate = outputs.adaptsBitrate
    inner.tlsCA = outputs.certificateFile
    inner.tlsInsecure = outputs.skipsCertificateCheck
    inner.rtspTransport = .init(as: outputs.rtspTransport)
  }

  private func apply(_ recording: Recording, to inner: inout HoldfastBroadcasting.Configuration.Recording) {
    inner.directory = recording.directory
    inner.segment = recording.segment?.inner
    inner.onSegment = recording.onSegment
    inner.onSegmentWait = MediaTime(recording.onSegmentTimeout)
    inner.keepAge = recording.keepAge.map(MediaTime.init)
    inner.keepSize = recording.keepSize
    inner.diskReserve = recording.diskReserve
    inner.syncEvery = MediaTime(recording.syncInterval)
    inner.keepGaps = recording.keepsGaps
    inner.queue = MediaTime(recording.queue)
  }

  private func apply(_ session: Session, to inner: inout HoldfastBroadcasting.Configuration.Session) {
    inner.duration = session.duration.map(MediaTime.init)
    inner.resumeWindow = MediaTime(session.resumeWindow)
    if let policy = session.afterCrash { inner.afterCrash = .init(as: policy) }
    inner.preview = session.beginsWithPreview
    inner.timer.maxDuration = session.maxDuration.map(MediaTime.init)
    inner.timer.maxTotal = session.maxTotal.map(MediaTime.init)
    inner.timer.alertBefore = MediaTime(session.alertBefore)
    inner.timer.countsInterruptions = session.countsInterruptions
    inner.gate.command = session.gateCommand
    inner.gate.timeout = MediaTime(session.gateTimeout)
    inner.gate.onTimeout = SilentGate(as: session.onGateTimeout)
    inner.gate.onResume = session.asksGateOnResume
  }
}
