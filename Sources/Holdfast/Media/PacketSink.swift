import HoldfastMediaModel
import HoldfastPlatform

/// Receives the encoded packets of a broadcast, in addition to the servers and the recording.
///
/// All methods of a sink are called on one dedicated thread, so they may block. Packets that do not fit
/// into the queue of a slow sink are dropped and reported to it; nothing else waits for it.
public protocol PacketSink: Sendable {
  /// Called before the track's first packet in each broadcast.
  func begin(_ track: Track)
  func receive(_ packet: Packet)
  /// Called after packets were dropped. If these include video, the next video packet is a keyframe.
  func dropped(_ packets: Int)
  /// Called after the last packet, before `run()` returns.
  func end()
}

extension PacketSink {
  /// Ignores the loss.
  public func dropped(_ packets: Int) {}
  /// Ignores the end.
  public func end() {}
}

/// The kinds of tracks; a broadcast has at most one of each.
public enum TrackKind: String, Hashable, Sendable, CaseIterable {
  case video, audio
}

/// The format of a track, which a sink receives before the track's first packet.
public struct Track: Hashable, Sendable {
  /// The codec and its parameters.
  public enum Format: Hashable, Sendable {
    case video(VideoCodec, PictureSize, FrameRate)
    case audio(AudioCodec, SoundFormat)
  }

  public let kind: TrackKind
  public let format: Format
  /// The codec configuration as stored in MP4: `avcC`, `hvcC`, `av1C`, AudioSpecificConfig or OpusHead.
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

/// One encoded picture or audio frame.
///
/// H.264 and HEVC are NAL units, each with a four-byte length prefix; AV1 is a temporal unit; AAC and Opus
/// are raw.
public struct Packet: Hashable, Sendable {
  let inner: MediaPacket

  public var track: TrackKind { TrackKind(as: inner.track) }
  /// The time on the broadcast's timeline, which begins at 0 and pauses during interruptions.
  public var presentationTime: Duration { Duration(inner.presentationTime) }
  public var decodeTime: Duration { Duration(inner.decodeTime) }
  public var duration: Duration { Duration(inner.duration) }
  /// Whether decoding can start here; always true for sound.
  public var isKeyframe: Bool { inner.isKeyframe }
  public var bytes: [UInt8] { inner.bytes }
}

/// Queues packets without blocking and delivers them to a sink on a thread of its own.
final class SinkThread: PacketReceiver {
  private enum Item: Sendable {
    case track(HoldfastMediaModel.Track)
    case packet(MediaPacket, droppedBefore: Int)
  }

  private struct Losses: Sendable {
    var dropped = 0
    /// After a loss, pictures cannot be decoded until the next keyframe.
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
      // Reserves room for tracks, which are rare and required.
      guard !isUseless, queue.offer(.packet(packet, droppedBefore: losses.dropped), leaving: 16) else {
        losses.dropped += 1
        if packet.track == .video { losses.awaitsKeyframe = true }
        return
      }
      losses.dropped = 0
      if packet.track == .video { losses.awaitsKeyframe = false }
    }
  }

  /// Ends the input; queued packets are still delivered.
  func close() { queue.close() }

  func join() { thread.join() }
}
