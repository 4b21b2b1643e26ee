internal import HoldfastMediaModel
internal import HoldfastPlatform

/// Gets what a broadcast encodes, beside its servers and its recording.
///
/// All methods are called on one thread of the sink's own, so they may block. What a slow sink has no room for in its
/// queue is dropped, and the sink is told; nobody else waits for it.
public protocol PacketSink: Sendable {
  /// Comes before the track's first packet, and again with each broadcast.
  func begin(_ track: Track)
  func receive(_ packet: Packet)
  /// Packets were dropped here. The next picture is a keyframe.
  func dropped(_ packets: Int)
  /// Nothing more comes: `run()` is about to return.
  func end()
}

extension PacketSink {
  /// Does nothing.
  public func dropped(_ packets: Int) {}
  /// Does nothing.
  public func end() {}
}

/// The two tracks that a broadcast has at the most.
public enum TrackKind: Hashable, Sendable, CaseIterable {
  case video, audio

  init(_ inner: HoldfastMediaModel.TrackKind) {
    switch inner {
    case .video: self = .video
    case .audio: self = .audio
    }
  }

  var inner: HoldfastMediaModel.TrackKind {
    switch self {
    case .video: .video
    case .audio: .audio
    }
  }
}

/// What a sink has to know of a track before its first packet.
public struct Track: Hashable, Sendable {
  /// What the track holds.
  public enum Format: Hashable, Sendable {
    case video(VideoCodec, PictureSize, FrameRate)
    case audio(AudioCodec, SoundFormat)
  }

  public let format: Format
  /// The codec's headers as MP4 stores them: `avcC`, `hvcC` or `av1C`, the AudioSpecificConfig or the OpusHead.
  public let headers: [UInt8]

  /// Picture or sound.
  public var kind: TrackKind {
    switch format {
    case .video: .video
    case .audio: .audio
    }
  }

  /// Nil where codec and format contradict each other.
  init?(_ inner: HoldfastMediaModel.Track) {
    switch (inner.format, VideoCodec(inner.codec), AudioCodec(inner.codec)) {
    case (.video(let video), let codec?, _):
      guard
        let rate = FrameRate(numerator: video.frameRate.numerator, denominator: video.frameRate.denominator)
      else { return nil }
      format = .video(codec, PictureSize(width: video.size.width, height: video.size.height), rate)
    case (.audio(let audio), _, let codec?):
      format = .audio(codec, SoundFormat(sampleRate: audio.sampleRate, channels: audio.channels))
    case (.video, nil, _), (.audio, _, nil): return nil
    }
    headers = inner.headers
  }
}

/// One encoded picture, or one encoded piece of sound.
///
/// H.264 and HEVC come as NAL units with a four-byte length in front of each, AV1 as a temporal unit, AAC and Opus raw.
public struct Packet: Hashable, Sendable {
  public let track: TrackKind
  /// On the broadcast's time line, which begins at 0 and stands still while it is interrupted.
  public let presentationTime: Duration
  public let decodeTime: Duration
  public let duration: Duration
  /// A receiver can begin here. True of all sound.
  public let isKeyframe: Bool
  public let bytes: [UInt8]

  init(_ inner: MediaPacket) {
    track = TrackKind(inner.track)
    presentationTime = Duration(inner.presentationTime)
    decodeTime = Duration(inner.decodeTime)
    duration = Duration(inner.duration)
    isKeyframe = inner.isKeyframe
    bytes = inner.bytes
  }
}

extension VideoCodec {
  init?(_ codec: Codec) {
    switch codec {
    case .h264: self = .h264
    case .hevc: self = .hevc
    case .av1: self = .av1
    case .aac, .opus: return nil
    }
  }
}

extension AudioCodec {
  init?(_ codec: Codec) {
    switch codec {
    case .aac: self = .aac
    case .opus: self = .opus
    case .h264, .hevc, .av1: return nil
    }
  }
}

/// Takes packets for a sink at once, and gives them to it on a thread of its own.
final class SinkThread: PacketReceiver {
  private enum Item: Sendable {
    case track(HoldfastMediaModel.Track)
    case packet(MediaPacket, droppedBefore: Int)
  }

  private struct Losses: Sendable {
    var dropped = 0
    /// Pictures after a loss are of no use before the next keyframe.
    var awaitsKeyframe = false
  }

  private let sink: any PacketSink
  private let queue = BoundedQueue<Item>(capacity: 2048)
  private let losses = Locked(Losses())
  private let thread = ThreadSlot()

  init(_ sink: any PacketSink) {
    self.sink = sink
  }

  func start() throws(SystemError) {
    try thread.start(name: "sink") { [sink, queue] in
      while let item = queue.take() {
        switch item {
        case .track(let track): if let track = Track(track) { sink.begin(track) }
        case .packet(let packet, let dropped):
          if dropped > 0 { sink.dropped(dropped) }
          sink.receive(Packet(packet))
        }
      }
      sink.end()
    }
  }

  func offer(_ track: HoldfastMediaModel.Track) {
    _ = queue.offer(.track(track))
  }

  func offer(_ packet: MediaPacket) {
    losses.withLock { losses in
      let isUseless = losses.awaitsKeyframe && packet.track == .video && !packet.isKeyframe
      // Room for tracks is kept free: they come seldom and are needed.
      guard !isUseless, queue.offer(.packet(packet, droppedBefore: losses.dropped), leaving: 16) else {
        losses.dropped += 1
        if packet.track == .video { losses.awaitsKeyframe = true }
        return
      }
      losses.dropped = 0
      if packet.track == .video { losses.awaitsKeyframe = false }
    }
  }

  /// Nothing more comes; what waits is still received.
  func close() {
    queue.close()
  }

  func join() {
    thread.join()
  }

  func abandon() {
    close()
    join()
  }
}
