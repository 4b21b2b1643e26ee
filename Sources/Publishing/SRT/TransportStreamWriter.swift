import HoldfastFFmpeg
import HoldfastLifecycle
import HoldfastMediaModel

/// Makes an MPEG transport stream of a connection's packets. Its times begin anew, whenever the first packet was made.
struct TransportStreamWriter: ~Copyable {
  private var muxer: Muxer
  private var pictures: AnnexBWriter?
  private var base: MediaTime?

  /// Where the times begin: sound that was made a little before the first picture still has a time.
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
        // The parameter sets travel in the packets.
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
    // Who joins finds the tables within 0.2 s; each keyframe has them too.
    ("pat_period", "0.2"),
    // No sound is held back to fill a packet.
    ("pes_payload_size", "0"),
    // The clock runs so many microseconds ahead of the pictures, which is what a receiver has to decode them in.
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

  /// A packet that every receiver leaves out.
  static let filler: [UInt8] = [0x47, 0x1F, 0xFF, 0x10] + [UInt8](repeating: 0xFF, count: 184)

  /// What has come out since the last call: packets of 188 bytes.
  mutating func takeBytes() -> [UInt8] {
    muxer.takeBytes()
  }
}
