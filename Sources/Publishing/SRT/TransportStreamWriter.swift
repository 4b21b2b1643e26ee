import HoldfastFFmpeg
import HoldfastLifecycle
import HoldfastMediaModel

/// Muxes a connection's packets into an MPEG transport stream with its own timestamps.
struct TransportStreamWriter: ~Copyable {
  private var muxer: Muxer
  private var pictures: AnnexBWriter?
  private var base: MediaTime?

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
  }

  private static let options = [
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

  /// A null packet, which receivers ignore.
  static let filler: [UInt8] = [0x47, 0x1F, 0xFF, 0x10] + [UInt8](repeating: 0xFF, count: 184)

  mutating func takeBytes() -> [UInt8] {
    muxer.takeBytes()
  }
}
