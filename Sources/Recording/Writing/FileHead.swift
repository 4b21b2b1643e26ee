internal import HoldfastFFmpeg
internal import HoldfastMP4
internal import HoldfastMediaModel

/// What stands in front of everything else in a new file: what kind of file it is, and its tracks.
struct FileHead: Hashable, Sendable {
  let bytes: [UInt8]
  /// The picture first.
  let tracks: [RecordedTrack]
  let codecs: [Codec]

  init(_ tracks: [Track]) throws {
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
}
