internal import HoldfastBroadcasting
internal import HoldfastMediaModel

/// Everything that a broadcaster is told, by subject.
public struct Configuration: Hashable, Sendable {
  /// What recordings and event lines call the broadcast: 1 to 64 of a-z, A-Z, 0-9 and . _ -
  public var name = "holdfast"
  public var video = Video()
  public var audio = Audio()
  public var outputs = Outputs()
  public var recording = Recording()
  public var session = Session()

  /// The defaults: the camera and the microphone if there are any, else test signals, at 1280x720, recorded.
  public init() {}

  /// The picture: its source and its encoding.
  public struct Video: Hashable, Sendable {
    public var source = VideoSelection.automatic
    public var size = PictureSize(width: 1280, height: 720)
    public var frameRate: FrameRate = 30
    public var codec = VideoCodec.h264
    public var encoder = VideoEncoder.automatic
    /// Bits per second.
    public var bitrate = 2_500_000
    /// The lowest bitrate that a slow network may lead to; nil for a fifth of `bitrate`.
    public var minBitrate: Int?
    /// From one keyframe to the next.
    public var keyframeInterval = Duration.seconds(2)
    /// A file begins again when it has come to its end; so does the sound's.
    public var isLooped = false
  }

  /// The sound: its source and its encoding.
  public struct Audio: Hashable, Sendable {
    public var source = AudioSelection.automatic
    public var codec = AudioCodec.aac
    /// Bits per second.
    public var bitrate = 128_000
  }

  /// The servers, and what holds for each of them that has no setting of its own.
  public struct Outputs: Hashable, Sendable {
    public var list: [Output] = []
    public var publishKind = PublishKind.record
    public var outage = OutagePolicy.live
    /// The time for an attempt to connect and be accepted.
    public var connectTimeout = Duration.seconds(5)
    /// A server that has shown no life for so long is connected to anew.
    public var stallTimeout = Duration.seconds(3)
    /// An output that could not be brought back for so long is given up; nil for never.
    public var giveUpAfter: Duration?
    /// The picture's bitrate follows what the networks can carry.
    public var adaptsBitrate = true
    /// A PEM file of certificates to trust besides the system's.
    public var certificateFile: String?
    /// Takes any certificate, so that anybody on the way may read and change everything.
    public var skipsCertificateCheck = false
    public var rtspTransport = RTSPTransport.tcp
  }

  /// The recording's files and their disk.
  public struct Recording: Hashable, Sendable {
    /// The folder of the files; nil for no recording.
    public var directory: String? = "recordings"
    /// When the recording goes on in a new file; nil for never.
    public var segment: SegmentLength?
    /// What the shell runs for each finished file, which is `$1`.
    public var onSegment: String?
    /// How long the end of `run()` waits for such a command.
    public var onSegmentTimeout = Duration.seconds(10)
    /// Finished recordings that are older are deleted; nil to keep them.
    public var keepAge: Duration?
    /// The oldest finished recordings are deleted where all take more bytes; nil to keep them.
    public var keepSize: Int?
    /// Bytes that the recording leaves free on its disk.
    public var diskReserve = 256 << 20
    /// How often what was recorded is made to outlive a power cut.
    public var syncInterval = Duration.seconds(1)
    /// An interruption leaves a hole of its length in the recording.
    public var keepsGaps = false
    /// How long the disk may stand still before anything is lost.
    public var queue = Duration.seconds(20)
  }

  /// How long it may last, and who is asked before.
  public struct Session: Hashable, Sendable {
    /// When the broadcast ends by itself; nil for when it is stopped.
    public var duration: Duration?
    /// How long an interruption may last and still be resumed.
    public var resumeWindow = Duration.seconds(120)
    /// Devices are opened; the broadcast waits for `start()`.
    public var beginsWithPreview = false
    /// How long a session may last from when it goes live; nil for any time.
    public var maxDuration: Duration?
    /// How long it may last with all extensions; nil for any time.
    public var maxTotal: Duration?
    /// How long before the end it is announced.
    public var alertBefore = Duration.seconds(60)
    /// The session's time goes on while it is interrupted.
    public var countsInterruptions = true
    /// A command that the shell runs as a gate, besides the one in code.
    public var gateCommand: String?
    public var gateTimeout = Duration.seconds(5)
    public var onGateTimeout = SilentGatePolicy.pass
    /// The gate is asked before an interrupted broadcast goes on, too.
    public var asksGateOnResume = false
  }
}

extension Configuration {
  func inner(receivers: [SuppliedReceiver]) -> HoldfastBroadcasting.Configuration {
    var inner = HoldfastBroadcasting.Configuration()
    inner.name = name
    inner.loop = video.isLooped
    inner.receivers = receivers
    video.apply(to: &inner.video)
    inner.audio.source = audio.source.inner
    inner.audio.codec = audio.codec.inner
    inner.audio.bitrate = audio.bitrate
    outputs.apply(to: &inner.outputs)
    recording.apply(to: &inner.recording)
    session.apply(to: &inner.session)
    return inner
  }
}

extension Configuration.Video {
  fileprivate func apply(to inner: inout HoldfastBroadcasting.Configuration.Video) {
    inner.source = source.inner
    inner.size = size.inner
    inner.frameRate = frameRate.inner
    inner.codec = codec.inner
    inner.encoder = encoder.inner
    inner.bitrate = bitrate
    inner.minBitrate = minBitrate
    inner.gop = MediaTime(keyframeInterval)
  }
}

extension Configuration.Outputs {
  fileprivate func apply(to inner: inout HoldfastBroadcasting.Configuration.Outputs) {
    inner.requests = list.map(\.inner)
    inner.publishType = publishKind.inner
    inner.outage = outage.inner
    inner.connectTimeout = MediaTime(connectTimeout)
    inner.stallTimeout = MediaTime(stallTimeout)
    inner.giveUpAfter = giveUpAfter.map(MediaTime.init)
    inner.adaptsBitrate = adaptsBitrate
    inner.tlsCA = certificateFile
    inner.tlsInsecure = skipsCertificateCheck
    inner.rtspTransport = rtspTransport.inner
  }
}

extension Configuration.Recording {
  fileprivate func apply(to inner: inout HoldfastBroadcasting.Configuration.Recording) {
    inner.directory = directory
    inner.segment = segment?.inner
    inner.onSegment = onSegment
    inner.onSegmentWait = MediaTime(onSegmentTimeout)
    inner.keepAge = keepAge.map(MediaTime.init)
    inner.keepSize = keepSize
    inner.diskReserve = diskReserve
    inner.syncEvery = MediaTime(syncInterval)
    inner.keepGaps = keepsGaps
    inner.queue = MediaTime(queue)
  }
}

extension Configuration.Session {
  fileprivate func apply(to inner: inout HoldfastBroadcasting.Configuration.Session) {
    inner.duration = duration.map(MediaTime.init)
    inner.resumeWindow = MediaTime(resumeWindow)
    inner.preview = beginsWithPreview
    inner.maxDuration = maxDuration.map(MediaTime.init)
    inner.maxTotal = maxTotal.map(MediaTime.init)
    inner.alertBefore = MediaTime(alertBefore)
    inner.countsInterruptions = countsInterruptions
    inner.gate.command = gateCommand
    inner.gate.timeout = MediaTime(gateTimeout)
    inner.gate.onTimeout = onGateTimeout.inner
    inner.gate.onResume = asksGateOnResume
  }
}
