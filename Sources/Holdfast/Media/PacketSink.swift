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
public enum TrackKind: String, Hashable, Sendable, CaseIterable {
  case video, audio
}

/// What a sink has to know of a track before its first packet.
public struct Track: Hashable, Sendable {
  /// What the track holds.
  public enum Format: Hashable, Sendable {
    case video(VideoCodec, PictureSize, FrameRate)
    case audio(AudioCodec, SoundFormat)
  }

  public let kind: TrackKind
  public let format: Format
  /// The codec's headers as MP4 stores them: `avcC`, `hvcC` or `av1C`, the AudioSpecificConfig or the OpusHead.
  public let headers: [UInt8]

  init(_ inner: HoldfastMediaModel.Track) {
    kind = TrackKind(as: inner.kind)
    format =
      switch inner.format {
      case .video(let video):
        .video(
          VideoCodec(as: inner.codec), PictureSize(inner: video.size), FrameRate(inner: video.frameRate))
      case .audio(let audio):
        .audio(
          AudioCodec(as: inner.codec), SoundFormat(sampleRate: audio.sampleRate, channels: audio.channels))
      }
    headers = inner.headers
  }
}

/// One encoded picture, or one encoded piece of sound.
///
/// H.264 and HEVC come as NAL units with a four-byte length in front of each, AV1 as a temporal unit, AAC and Opus raw.
public struct Packet: Hashable, Sendable {
  let inner: MediaPacket

  public var track: TrackKind { TrackKind(as: inner.track) }
  /// On the broadcast's time line, which begins at 0 and stands still while it is interrupted.
  public var presentationTime: Duration { Duration(inner.presentationTime) }
  public var decodeTime: Duration { Duration(inner.decodeTime) }
  public var duration: Duration { Duration(inner.duration) }
  /// A receiver can begin here. True of all sound.
  public var isKeyframe: Bool { inner.isKeyframe }
  public var bytes: [UInt8] { inner.bytes }
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
        case .track(let track): sink.begin(Track(track))
        case .packet(let packet, let dropped):
          if dropped > 0 { sink.dropped(dropped) }
          sink.receive(Packet(inner: packet))
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
  func close() { queue.close() }

  func join() { thread.join() }
}
