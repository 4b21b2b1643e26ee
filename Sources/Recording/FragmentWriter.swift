internal import FFmpeg
internal import MediaModel
internal import Platform

/// Writes one fragmented MP4 file, a fragment at a time, so that what is on disk can be played at any moment.
///
/// Each fragment is put together in memory and goes to the file in one write. The first one holds the first picture
/// alone: from then on the file is one that players open.
struct FragmentWriter: ~Copyable {
  /// The longest stretch that is in memory only.
  static let fragmentDuration = MediaTime.milliseconds(500)

  private let file: FileDescriptor
  private var muxer: Muxer
  private let leader: TrackKind
  private var fragmentStart: MediaTime?
  private var hasFirstFragment = false
  private(set) var bytesWritten: Int

  init(path: String, tracks: [Track]) throws {
    let file = try FileDescriptor.create(path, .new)
    var muxer = try Muxer(
      container: "mp4", tracks: tracks.sorted { $0.kind == .video && $1.kind == .audio },
      options: [
        ("movflags", "empty_moov+default_base_moof+frag_custom+frag_discont"), ("use_editlist", "0"),
        ("brand", "isom"), ("strict", "experimental"),
      ])
    let header = muxer.takeBytes()
    try file.write(header)
    self.file = file
    self.muxer = muxer
    leader = tracks.contains { $0.kind == .video } ? .video : .audio
    bytesWritten = header.count
  }

  mutating func write(_ packet: MediaPacket) throws {
    if packet.track == leader {
      let start = fragmentStart ?? packet.decodeTime
      let isDue = packet.decodeTime + packet.duration - start > Self.fragmentDuration
      if fragmentStart != nil, isDue || !hasFirstFragment {
        try finishFragment()
        fragmentStart = packet.decodeTime
      } else {
        fragmentStart = start
      }
    }
    try muxer.write(packet)
  }

  /// Writes what is left and the index of the fragments.
  mutating func finish() throws {
    try muxer.finish()
    try writeOut()
    try file.synchronize()
  }

  private mutating func finishFragment() throws {
    try muxer.finishFragment()
    hasFirstFragment = true
    try writeOut()
  }

  private mutating func writeOut() throws {
    let bytes = muxer.takeBytes()
    try file.write(bytes)
    bytesWritten += bytes.count
  }
}
