import HoldfastFFmpeg
package import HoldfastMP4
package import HoldfastMediaModel

/// The `ftyp` and `moov` of a new file, and how its samples are packed.
package struct FileHead: Hashable, Sendable {
  package let bytes: [UInt8]
  /// Video first.
  package let tracks: [RecordedTrack]
  private let codecs: [Codec]

  package init(_ tracks: [Track]) throws {
    let tracks = tracks.sorted { $0.kind == .video && $1.kind == .audio }
    var muxer = try Muxer(
      container: "mp4", tracks: tracks,
      options: [
        ("movflags", "empty_moov+default_base_moof+frag_custom"), ("use_editlist", "0"), ("brand", "isom"),
        ("strict", "experimental"),
      ])
    let bytes = muxer.takeBytes()
    self.bytes = bytes
    codecs = tracks.map(\.codec)
    self.tracks = try RecordingHead(RecordingBytes(bytes)).tracks
  }

  package func index(of kind: TrackKind) -> Int? { tracks.firstIndex { $0.kind == kind } }

  /// The packet's bytes as a sample.
  package func sampleBytes(_ packet: MediaPacket) -> [UInt8] {
    switch index(of: packet.track).map({ codecs[$0] }) {
    // MP4 has no temporal delimiters.
    case .av1 where packet.bytes.starts(with: [0x12, 0x00]): Array(packet.bytes.dropFirst(2))
    case .h264, .hevc, .av1, .aac, .opus, nil: packet.bytes
    }
  }

  /// The packet in ticks of its track. Decode times strictly increase, also after earlier samples.
  package func sample(_ packet: MediaPacket, size: Int, of track: Int, after last: Int64) -> FragmentSample {
    let timescale = tracks[track].timescale
    let decoded = max(packet.decodeTime.ticks(timescale: timescale), last + 1)
    let end = (packet.decodeTime + packet.duration).ticks(timescale: timescale)
    return FragmentSample(
      size: size, decodeTime: decoded,
      delay: Int32(clamping: packet.presentationTime.ticks(timescale: timescale) - decoded),
      duration: UInt32(clamping: max(1, end - decoded)), isKeyframe: packet.isKeyframe)
  }
}
