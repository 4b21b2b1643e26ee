import HoldfastFFmpeg
import HoldfastLifecycle
import HoldfastMediaModel

/// Muxes a connection's packets into an MPEG transport stream with its own timestamps.
struct TransportStreamWriter: ~Copyable {
  private var muxer: Muxer
  private var pictures: AnnexBWriter?
  private var base: MediaTime?
  private let videoID: Int?
  /// The continuity counter of the last packet with the video's ID.
  private var videoCounter: UInt8?

  /// Leaves room for sound from before the first picture.
  private static let start = MediaTime.seconds(1)

  init(_ tracks: [Track]) throws(SinkError) {
    var pictures: AnnexBWriter?
    var described: [Track] = []
    for track in tracks {
      switch track.codec {
      case .av1: throw SinkError(.unsupported, "a transport stream can't carry AV1: use H.264 or HEVC")
      case .aac, .opus: described.append(track)
      case .h264, .hevc:
        pictures = AnnexBWriter(track)
        guard pictures != nil else {
          throw SinkError(.unsupported, "the headers of the \(track.codec.name) track can't be read")
        }
        // The packets carry the parameter sets.
        described.append(Track(codec: track.codec, format: track.format, headers: [], bitrate: track.bitrate))
      }
    }
    do {
      muxer = try Muxer(container: "mpegts", tracks: described, options: Self.options)
    } catch {
      throw SinkError(.system, "\(error)")
    }
    self.pictures = pictures
    videoID = tracks.firstIndex { $0.kind == .video }.map { Self.firstID + $0 }
  }

  private static let firstID = 0x100
  private static let packetSize = 188
  private static let options = [
    ("mpegts_start_pid", String(firstID)),
    // With a length, a receiver has a picture without waiting for the next one.
    ("omit_video_pes_length", "0"),
    // A new receiver finds the tables within 0.2 s; each keyframe has them too.
    ("pat_period", "0.2"),
    // Sound is not delayed to fill a packet.
    ("pes_payload_size", "0"),
    // Microseconds by which the clock runs ahead of the pictures: the receiver's time to decode.
    ("max_delay", "100000"),
  ].map { (name: $0.0, value: $0.1) }

  mutating func write(_ packet: MediaPacket) throws(FFmpegError) {
    let base = self.base ?? packet.decodeTime
    self.base = base
    var shifted = packet
    shifted.decodeTime = packet.decodeTime - base + Self.start
    shifted.presentationTime = packet.presentationTime - base + Self.start
    if packet.track == .video, pictures != nil {
      pictures?.write(packet)
      try muxer.write(shifted, as: pictures?.bytes ?? [])
    } else {
      try muxer.write(shifted)
    }
  }

  /// The pictures that follow have the headers of `track`, in the same codec.
  mutating func change(to track: Track) { pictures = AnnexBWriter(track) ?? pictures }

  /// A null packet, which receivers ignore.
  static let filler: [UInt8] = [0x47, 0x1F, 0xFF, 0x10] + [UInt8](repeating: 0xFF, count: 184)

  mutating func takeBytes() -> [UInt8] {
    let bytes = muxer.takeBytes()
    let last = stride(from: bytes.count - Self.packetSize, through: 0, by: -Self.packetSize).first { start in
      let high = Int(bytes[start + 1] & 0x1F)
      return high << 8 | Int(bytes[start + 2]) == videoID
    }
    if let last { videoCounter = bytes[last + 3] & 0x0F }
    return bytes
  }

  /// An empty video packet, which ends a last picture too large to have a length. Nothing may follow.
  func end() -> [UInt8] {
    guard let videoID, let videoCounter else { return [] }
    let header: [UInt8] = [0, 0, 1, 0xE0, 0, 3, 0x80, 0, 0]
    let stuffing = Self.packetSize - 4 - 2 - header.count
    let start: [UInt8] = [
      0x47, 0x40 | UInt8(videoID >> 8), UInt8(videoID & 0xFF), 0x30 | (videoCounter + 1) & 0x0F,
      UInt8(stuffing + 1), 0,
    ]
    return start + [UInt8](repeating: 0xFF, count: stuffing) + header
  }
}
