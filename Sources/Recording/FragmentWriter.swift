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

  /// The file has fragments of another process: FFmpeg knows nothing of them.
  private let isContinued: Bool

  init(path: String, tracks: [Track]) throws {
    let file = try FileDescriptor.create(path, .new)
    var muxer = try Self.muxer(for: tracks)
    let head = muxer.takeBytes()
    try file.write(head, at: 0)
    self.file = file
    self.muxer = muxer
    isContinued = false
    leader = Self.leader(of: tracks)
    bytesWritten = head.count
  }

  /// Goes on behind the last whole fragment of the file at `path`, which is `known`. What lies behind that is cut off;
  /// what lies before stays as it is. `tracks` have to be those that the file has.
  init(continuing path: String, _ known: FragmentedFile, tracks: [Track]) throws {
    let file = try FileDescriptor.openForUpdating(path, isThere: true)
    var muxer = try Self.muxer(
      for: tracks, movflags: "+skip_trailer",
      options: [("fragment_index", "\(UInt64(known.lastSequenceNumber) + 1)")])
    guard try file.size() >= known.wholeLength else { throw ContinuationError.hasChanged }
    guard try file.bytes(known.headLength, at: 0) == muxer.takeBytes() else {
      throw ContinuationError.otherTracks
    }
    try file.truncate(to: known.wholeLength)
    self.file = file
    self.muxer = muxer
    isContinued = true
    leader = Self.leader(of: tracks)
    bytesWritten = known.wholeLength
  }

  /// Its fragments begin at the times of their packets.
  private static func muxer(
    for tracks: [Track], movflags: String = "", options: [(name: String, value: String)] = []
  ) throws -> Muxer {
    try Muxer(
      container: "mp4", tracks: tracks.sorted { $0.kind == .video && $1.kind == .audio },
      options: [
        ("movflags", "empty_moov+default_base_moof+frag_custom+frag_discont" + movflags),
        ("use_editlist", "0"), ("brand", "isom"), ("strict", "experimental"),
      ] + options)
  }

  private static func leader(of tracks: [Track]) -> TrackKind {
    tracks.contains { $0.kind == .video } ? .video : .audio
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
    if isContinued { try addIndex() }
    try file.synchronize()
  }

  /// The recording is whole without it.
  private mutating func addIndex() throws {
    do {
      bytesWritten += try FragmentIndex.add(to: file)
    } catch {
      try file.truncate(to: bytesWritten)
    }
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
      try file.write(bytes, at: bytesWritten)
    } catch {
      // Half a fragment is no use to anybody. Where even this fails, players stop there.
      try? file.truncate(to: bytesWritten)
      throw error
    }
    bytesWritten += bytes.count
  }
}

/// Why a recording can't be gone on with in its file.
enum ContinuationError: Error, Hashable, CustomStringConvertible {
  case otherTracks
  case hasChanged

  var description: String {
    switch self {
    case .otherTracks: "it has other tracks than there are now"
    case .hasChanged: "it has changed meanwhile"
    }
  }
}
