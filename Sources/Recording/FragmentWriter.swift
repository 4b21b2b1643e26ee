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
  /// The leader's last packet: how long it lasts is known when the next one has come.
  private var held: MediaPacket?
  /// What is on disk can be played.
  private(set) var hasFirstFragment = false
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
    guard packet.track == leader else { return try muxer.write(packet) }
    try writeHeld(until: packet.decodeTime)
    if let start = fragmentStart, !hasFirstFragment || packet.decodeTime - start >= Self.fragmentDuration {
      try finishFragment()
      fragmentStart = nil
    }
    fragmentStart = fragmentStart ?? packet.decodeTime
    held = packet
  }

  /// Puts all that has come on the disk. What comes later is a new fragment.
  mutating func flush() throws {
    try writeHeld(until: nil)
    try finishFragment()
    fragmentStart = nil
    try file.synchronize()
  }

  /// Writes what is left and the index of the fragments.
  mutating func finish() throws {
    try writeHeld(until: nil)
    hasFirstFragment = true
    try muxer.finish()
    try writeOut()
    try file.synchronize()
  }

  /// A picture lasts until the next one: an unsteady camera's pictures have no duration of their own.
  private mutating func writeHeld(until next: MediaTime?) throws {
    guard var packet = held.take() else { return }
    if let next, next > packet.decodeTime { packet.duration = next - packet.decodeTime }
    try muxer.write(packet)
  }

  private mutating func finishFragment() throws {
    try muxer.finishFragment()
    hasFirstFragment = true
    try writeOut()
  }

  private mutating func writeOut() throws {
    let bytes = muxer.takeBytes()
    do {
      try file.write(bytes)
    } catch {
      // Half a fragment is no use to anybody. Where even this fails, players stop there.
      try? file.truncate(to: bytesWritten)
      throw error
    }
    bytesWritten += bytes.count
  }
}
