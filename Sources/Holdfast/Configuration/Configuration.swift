internal import HoldfastBroadcasting
internal import HoldfastLifecycle
internal import HoldfastMediaModel
internal import HoldfastPublishing
internal import HoldfastRecording

/// The defaults are those of `holdfast publish`.
private let defaults = HoldfastBroadcasting.Configuration()

/// Everything that a broadcaster is told, by subject.
public struct Configuration: Hashable, Sendable {
  /// What recordings and event lines call the broadcast: 1 to 64 of a-z, A-Z, 0-9 and . _ -
  public var name = defaults.name
  public var video = Video()
  public var audio = Audio()
  public var outputs = Outputs()
  public var recording = Recording()
  public var session = Session()

  /// The defaults: the camera and the microphone if there are any, else test signals, at 1280x720, recorded.
  public init() {}

  /// The picture: its source and its encoding.
  public struct Video: Hashable, Sendable {
    public var source = VideoSelection(inner: defaults.video.source)
    public var size = PictureSize(inner: defaults.video.size)
    public var frameRate = FrameRate(inner: defaults.video.frameRate)
    public var codec = VideoCodec(as: defaults.video.codec)
    public var encoder = VideoEncoder(as: defaults.video.encoder)
    /// Bits per second.
    public var bitrate = defaults.video.bitrate
    /// The lowest bitrate that a slow network may lead to; nil for a fifth of `bitrate`.
    public var minBitrate: Int?
    /// From one keyframe to the next.
    public var keyframeInterval = Duration(defaults.video.gop)
    /// A file begins again when it has come to its end; so does the sound's.
    public var isLooped = defaults.loop
  }

  /// The sound: its source and its encoding.
  public struct Audio: Hashable, Sendable {
    public var source = AudioSelection(inner: defaults.audio.source)
    public var codec = AudioCodec(as: defaults.audio.codec)
    /// Bits per second.
    public var bitrate = defaults.audio.bitrate
  }

  /// The servers, and what holds for each of them that has no setting of its own.
  public struct Outputs: Hashable, Sendable {
    public var list: [Output] = []
    public var publishKind = PublishKind(as: defaults.outputs.publishType)
    public var outage = OutagePolicy(as: defaults.outputs.outage)
    /// The time for an attempt to connect and be accepted.
    public var connectTimeout = Duration(defaults.outputs.connectTimeout)
    /// A server that has shown no life for so long is connected to anew.
    public var stallTimeout = Duration(defaults.outputs.stallTimeout)
    /// An output that could not be brought back for so long is given up; nil for never.
    public var giveUpAfter: Duration?
    /// The picture's bitrate follows what the networks can carry.
    public var adaptsBitrate = defaults.outputs.adaptsBitrate
    /// A PEM file of certificates to trust besides the system's.
    public var certificateFile: String?
    /// Takes any certificate, so that anybody on the way may read and change everything.
    public var skipsCertificateCheck = defaults.outputs.tlsInsecure
    public var rtspTransport = RTSPTransport(as: defaults.outputs.rtspTransport)
  }

  /// The recording's files and their disk.
  public struct Recording: Hashable, Sendable {
    /// The folder of the files; nil for no recording.
    public var directory = defaults.recording.directory
    /// When the recording goes on in a new file; nil for never.
    public var segment: SegmentLength?
    /// What the shell runs for each finished file, which is `$1`.
    public var onSegment: String?
    /// How long the end of `run()` waits for such a command.
    public var onSegmentTimeout = Duration(defaults.recording.onSegmentWait)
    /// Finished recordings that are older are deleted; nil to keep them.
    public var keepAge: Duration?
    /// The oldest finished recordings are deleted where all take more bytes; nil to keep them.
    public var keepSize: Int?
    /// Bytes that the recording leaves free on its disk.
    public var diskReserve = defaults.recording.diskReserve
    /// How often what was recorded is made to outlive a power cut.
    public var syncInterval = Duration(defaults.recording.syncEvery)
    /// An interruption leaves a hole of its length in the recording.
    public var keepsGaps = defaults.recording.keepGaps
    /// How long the disk may stand still before anything is lost.
    public var queue = Duration(defaults.recording.queue)
  }

  /// How long it may last, and who is asked before.
  public struct Session: Hashable, Sendable {
    /// When the broadcast ends by itself; nil for when it is stopped.
    public var duration: Duration?
    /// How long an interruption may last and still be resumed.
    public var resumeWindow = Duration(defaults.session.resumeWindow)
    /// What becomes of a broadcast of this name that an earlier process has left unfinished; nil for nothing. Otherwise
    /// a journal is kept below `$XDG_STATE_HOME` or `$HOME`, as `Broadcaster`'s environment names them.
    public var afterCrash: CrashPolicy?
    /// Devices are opened; the broadcast waits for `start()`.
    public var beginsWithPreview = defaults.session.preview
    /// How long a session may last from when it goes live; nil for any time.
    public var maxDuration: Duration?
    /// How long it may last with all extensions; nil for any time.
    public var maxTotal: Duration?
    /// How long before the end it is announced.
    public var alertBefore = Duration(defaults.session.timer.alertBefore)
    /// The session's time goes on while it is interrupted.
    public var countsInterruptions = defaults.session.timer.countsInterruptions
    /// A command that the shell runs as a gate, besides the one in code.
    public var gateCommand: String?
    public var gateTimeout = Duration(defaults.session.gate.timeout)
    public var onGateTimeout = SilentGatePolicy(as: defaults.session.gate.onTimeout)
    /// The gate is asked before an interrupted broadcast goes on, too.
    public var asksGateOnResume = defaults.session.gate.onResume
  }
}

extension Configuration {
  /// Throws where a setting is wrong, or two contradict each other.
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
