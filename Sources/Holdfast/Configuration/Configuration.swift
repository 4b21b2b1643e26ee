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
  /// The servers to publish to; empty to record only.
  public var outputs: [Output] = []
  /// A broadcast fails at its end if one of its outputs never published; by default, if none did.
  public var requiresEveryOutput = false
  public var recording = Recording()
  /// Further encodes of the picture, by the names that outputs choose them by.
  public var renditions: [String: Rendition] = [:]
  public var session = Session()
  /// The session of several boxes and people to join; nil for none.
  public var membership: SessionSettings?
  /// Restarts a file, including its sound, when it ends.
  public var loopsFiles = defaults.loop
  /// The jitter buffer of network sources: what arrives this much later than usual is still in time.
  public var sourceLatency = Duration(defaults.sourceLatency)

  /// Creates the default configuration: the camera and the microphone, which both have to be there;
  /// 1280x720 at 30 pictures per second, recorded in the folder `recordings`, not published.
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
  }

  /// What an encode of the picture has of its own; nil for what `video` says. It runs while somebody uses it.
  public struct Rendition: Hashable, Sendable {
    /// Never larger than the source's pictures.
    public var size: PictureSize?
    /// In bits per second.
    public var bitrate: Int?
    public var encoder: VideoEncoder?

    public init(size: PictureSize? = nil, bitrate: Int? = nil, encoder: VideoEncoder? = nil) {
      self.size = size
      self.bitrate = bitrate
      self.encoder = encoder
    }

    var inner: HoldfastBroadcasting.Rendition {
      var inner = HoldfastBroadcasting.Rendition()
      inner.size = size?.inner
      inner.bitrate = bitrate
      inner.encoder = encoder.map { EncoderChoice(as: $0) }
      return inner
    }
  }

  /// The source and the encoding of the sound.
  public struct Audio: Hashable, Sendable {
    public var source = AudioSelection(inner: defaults.audio.source)
    public var codec = AudioCodec(as: defaults.audio.codec)
    /// In bits per second.
    public var bitrate = defaults.audio.bitrate
  }

  /// The recording's files and disk.
  public struct Recording: Hashable, Sendable {
    /// The folder of the recordings; nil to record nothing.
    public var directory = defaults.recording.directory
    /// What the recorded picture has of its own.
    public var rendition = Rendition()
    /// When to start a new file; nil for never.
    public var segment: SegmentLength?
    /// A shell command to run for each finished file, whose path is `$1`.
    public var segmentCommand: String?
    /// How long `run()` waits at the end for such a command.
    public var segmentCommandTimeout = Duration(defaults.recording.onSegmentWait)
    /// The age at which finished recordings are deleted; nil to keep them.
    public var keepAge: Duration?
    /// The total size in bytes above which the oldest finished recordings are deleted; nil to keep them.
    public var keepSize: Int?
    /// The bytes to leave free on the disk.
    public var diskReserve = defaults.recording.diskReserve
    /// The permissions of new files, less what the umask takes away.
    public var mode = defaults.recording.mode
    /// How often recorded data is synchronized to the disk, so that it survives a power cut.
    public var syncInterval = Duration(defaults.recording.syncEvery)
    /// Leaves a gap in the recording's timeline for each interruption.
    public var keepsGaps = defaults.recording.keepGaps
    /// How long the disk may stall before media is lost.
    public var queueDuration = Duration(defaults.recording.queue)
  }

  /// The time limits and the gate of a broadcast.
  public struct Session: Hashable, Sendable {
    /// How long the broadcast lasts; nil until it is stopped.
    public var duration: Duration?
    /// How long a broadcast that is not recorded waits for its first output; nil for ever.
    public var startTimeout: Duration?
    /// The longest interruption that can be resumed.
    public var resumeWindow = Duration(defaults.session.resumeWindow)
    /// What happens to an unfinished broadcast of this name left by an earlier process; nil for nothing.
    ///
    /// A policy needs a journal, which is kept below `$XDG_STATE_HOME` or `$HOME` of the broadcaster's
    /// `environment`.
    public var afterCrash: CrashPolicy?
    /// Waits for a missing camera or microphone; with one of them the broadcast goes live, with a slate or silence
    /// for the other.
    public var waitsForDevices = defaults.session.waitsForDevices
    /// Opens the devices and waits for `start()`.
    public var beginsWithPreview = defaults.session.preview
    /// The maximum length of a session after it goes live; nil for no limit.
    public var maxDuration: Duration?
    /// The maximum length including all extensions; nil for no limit.
    public var maxTotalDuration: Duration?
    /// How long before its end the session sends an alert.
    public var alertBefore = Duration(defaults.session.timer.alertBefore)
    /// Counts interruptions as part of the session's time.
    public var countsInterruptions = defaults.session.timer.countsInterruptions
    /// A shell command run as a gate, in addition to the one in code.
    public var gateCommand: String?
    /// Somebody has to say ready, in addition to the other gates: `answerGate(ready:reason:by:)`.
    public var awaitsReady = defaults.session.gate.awaitsReady
    /// The time limit for a verdict.
    public var gateTimeout = Duration(defaults.session.gate.limit)
    /// What a missing verdict means.
    public var onGateTimeout = GateTimeoutPolicy(as: defaults.session.gate.onTimeout)
    /// Consults the gate before resuming an interrupted broadcast, too.
    public var asksGateOnResume = defaults.session.gate.onResume
  }
}

extension Configuration {
  /// Throws if a setting is invalid or two settings conflict.
  func checked(
    receivers: [Supplied<any PacketReceiver>], hasGate: Bool
  ) throws(ConfigurationError) -> HoldfastBroadcasting.Configuration {
    guard let frameRate = video.frameRate.inner else {
      throw ConfigurationError(
        properties: [HoldfastBroadcasting.Configuration.Setting.fps.property()],
        what: "\(video.frameRate) is not a frame rate", hint: "use 1 to 240 frames per second")
    }
    for (index, output) in outputs.enumerated() where output.id?.isPlain(upTo: 32) == false {
      throw ConfigurationError(
        properties: ["outputs[\(index)].id"], what: "not a plain id",
        hint: "write 1 to 32 of a-z, A-Z, 0-9 and . _ -")
    }
    var inner = defaults
    inner.name = name
    inner.receivers = receivers
    inner.video.frameRate = frameRate
    inner.outputs.requests = outputs.map(\.inner)
    inner.renditions = renditions.mapValues(\.inner)
    inner.outputs.required = requiresEveryOutput ? .all : .any
    inner.session.gate.isSupplied = hasGate || membership?.awaitsOthers != nil
    inner.session.gate.awaitsOthers = membership?.awaitsOthers != nil
    if let membership {
      _ = try membership.checked(as: name, property: "membership.")
      try membership.addOutputs(to: &inner)
    }
    apply(video, audio, to: &inner)
    apply(recording, to: &inner.recording)
    apply(session, to: &inner.session)
    do { try inner.validate() } catch { throw ConfigurationError(error) }
    return inner
  }

  private func apply(_ video: Video, _ audio: Audio, to inner: inout HoldfastBroadcasting.Configuration) {
    inner.loop = loopsFiles
    inner.sourceLatency = MediaTime(sourceLatency)
    inner.video.source = video.source.inner
    inner.video.size = video.size.inner
    inner.video.codec = Codec(as: video.codec)
    inner.video.encoder = EncoderChoice(as: video.encoder)
    inner.video.bitrate = video.bitrate
    inner.video.minBitrate = video.minBitrate
    inner.video.gop = MediaTime(video.keyframeInterval)
    inner.audio.source = audio.source.inner
    inner.audio.codec = Codec(as: audio.codec)
    inner.audio.bitrate = audio.bitrate
  }

  private func apply(_ recording: Recording, to inner: inout HoldfastBroadcasting.Configuration.Recording) {
    inner.directory = recording.directory
    inner.rendition = recording.rendition.inner
    inner.segment = recording.segment?.inner
    inner.onSegment = recording.segmentCommand
    inner.onSegmentWait = MediaTime(recording.segmentCommandTimeout)
    inner.keepAge = recording.keepAge.map(MediaTime.init)
    inner.keepSize = recording.keepSize
    inner.diskReserve = recording.diskReserve
    inner.mode = recording.mode
    inner.syncEvery = MediaTime(recording.syncInterval)
    inner.keepGaps = recording.keepsGaps
    inner.queue = MediaTime(recording.queueDuration)
  }

  private func apply(_ session: Session, to inner: inout HoldfastBroadcasting.Configuration.Session) {
    inner.duration = session.duration.map(MediaTime.init)
    inner.startTimeout = session.startTimeout.map(MediaTime.init)
    inner.resumeWindow = MediaTime(session.resumeWindow)
    if let policy = session.afterCrash { inner.afterCrash = .init(as: policy) }
    inner.preview = session.beginsWithPreview
    inner.waitsForDevices = session.waitsForDevices
    inner.timer.maxDuration = session.maxDuration.map(MediaTime.init)
    inner.timer.maxTotal = session.maxTotalDuration.map(MediaTime.init)
    inner.timer.alertBefore = MediaTime(session.alertBefore)
    inner.timer.countsInterruptions = session.countsInterruptions
    inner.gate.command = session.gateCommand
    inner.gate.awaitsReady = session.awaitsReady
    // Who left it alone has not chosen it for other members of a session, too.
    inner.gate.timeout = session.gateTimeout == Session().gateTimeout ? nil : MediaTime(session.gateTimeout)
    inner.gate.onTimeout = .init(as: session.onGateTimeout)
    inner.gate.onResume = session.asksGateOnResume
  }
}
