import HoldfastFFmpeg
import HoldfastMP4
import HoldfastMediaModel
import HoldfastPlatform

/// Writes a fragmented MP4 file that is playable at any moment.
///
/// Each packet is written at once: its bytes at the end, then the head of the fragment, whose changing part
/// never crosses a page boundary, so that a killed process leaves no half-written head.
///
/// A packet whose write failed can be written again.
struct FragmentWriter: ~Copyable, Sendable {
  let path: String
  private let file: FileDescriptor
  private let head: FileHead
  private var index: RecordingIndex
  /// Nil in a file of an earlier version.
  private var copies: HeadCopies?
  private var fragment: OpenFragment?
  private var room = OpenFragment.longestHead
  private var sequenceNumber: UInt32
  /// Decode time and end of each track's last sample, in its ticks.
  private var lastDecodeTimes: [Int64]
  private var ends: [Int64]
  private(set) var bytesWritten: Int

  mutating func write(_ packet: MediaPacket) throws {
    guard let track = head.index(of: packet.track) else { return }
    let bytes = head.sampleBytes(packet)
    let sample = head.sample(packet, size: bytes.count, of: track, after: lastDecodeTimes[track])
    if var grown = fragment {
      // A picture lasts until the next one, as an unsteady camera's pictures have no fixed duration.
      let isHole = sample.decodeTime - ends[track] > Int64(head.tracks[track].timescale)
      let isLonger = !isHole && grown.extend(track, to: sample.decodeTime)
      let isDue = isHole || grown.isDueToEnd(before: sample, of: track)
      // Without room for its own duration, the last sample would shift all that follow it; rounding is one tick.
      let isInTime = grown.end(of: track).map { abs($0 - sample.decodeTime) <= 1 } ?? true
      if !isDue, isInTime, grown.add(sample, to: track) {
        try put(grown, bytes)
      } else {
        try end(grown, isChanged: isLonger)
        room = grown.nextRoom(isFull: !isDue)
        try begin(sample, bytes, of: track)
      }
    } else {
      try begin(sample, bytes, of: track)
    }
    lastDecodeTimes[track] = sample.decodeTime
    ends[track] = sample.decodeTime + Int64(sample.duration)
  }

  private mutating func begin(_ sample: FragmentSample, _ bytes: [UInt8], of track: Int) throws {
    var new = OpenFragment(at: bytesWritten, sequenceNumber: sequenceNumber, room: room, tracks: head.tracks)
    guard new.add(sample, to: track) else { throw ContinuationError.otherTracks }
    try put(new, bytes)
    sequenceNumber &+= 1
  }

  /// Writes the data of the last sample, then the head that describes it.
  private mutating func put(_ fragment: OpenFragment, _ bytes: [UInt8]) throws {
    do {
      try file.write(bytes, at: fragment.end - bytes.count)
      try file.write(fragment.head(), at: fragment.offset)
    } catch {
      // Removes data without a description. If this fails, too, players stop there.
      try? file.truncate(to: bytesWritten)
      throw error
    }
    self.fragment = fragment
    bytesWritten = fragment.end
  }

  private mutating func end(_ fragment: OpenFragment, isChanged: Bool) throws {
    if isChanged { try file.write(fragment.head(), at: fragment.offset) }
    self.fragment = nil
    // A track without samples ends where it did before.
    let times = ends.indices.map { track in
      let end = fragment.end(of: track) ?? ends[track]
      return min(fragment.start(of: track)?.time ?? end, end)..<end
    }
    try file.write(
      index.add(
        fragment.offset..<bytesWritten, times: times, isKeyframe: fragment.start(of: 0)?.isKeyframe ?? false))
  }

  mutating func endFragment() throws {
    if let fragment { try end(fragment, isChanged: false) }
  }

  /// Syncs everything to disk, and ends the fragment.
  mutating func flush() throws {
    try endFragment()
    try file.synchronize()
  }

  /// Completes the index; returns the length of the file.
  @discardableResult
  mutating func finish() throws -> Int {
    try endFragment()
    bytesWritten += try index.finish(file, at: bytesWritten)
    try file.synchronize()
    return bytesWritten
  }

  /// A duplicate of the descriptor, by which another thread can sync what is written up to now.
  mutating func prepareSync() throws(SystemError) -> FileDescriptor {
    // What is written has to be synced also where the copy finds no room.
    if let fragment, let copy = copies?.keep(fragment) { try? file.write([copy]) }
    _ = file.allocateAhead(of: bytesWritten)
    return try file.duplicate()
  }

  /// False if the path has no file or another one.
  var isThere: Bool { file.isAt(path) }
}

extension FragmentWriter {
  /// `expected` is the length of the file, if known, for the size of its index.
  init(path: String, tracks: [Track], expected: MediaTime? = nil, mode: UInt32 = 0o640) throws {
    let head = try FileHead(tracks)
    let index = RecordingIndex(at: head.bytes.count, tracks: head.tracks, expected: expected)
    let copies = HeadCopies(at: index.end ?? head.bytes.count)
    let file = try FilePlace(path).create(permissions: mode)
    file.markWriting()
    do throws(SystemError) {
      if file.allocateAhead(of: copies.end) { try file.synchronize() }
      try file.write(head.bytes, at: 0)
      try index.begin(file)
      try file.write([copies.beginning])
      try file.truncate(to: copies.end)
      try file.synchronize()
    } catch {
      // The empty file would block the next attempt.
      removeFile(path)
      throw error
    }
    try? synchronizeDirectory(of: path)
    self.init(
      path: path, file: file, head: head, index: index, copies: copies, sequenceNumber: 1,
      lastDecodeTimes: tracks.map { _ in -1 }, ends: tracks.map { _ in 0 }, bytesWritten: copies.end)
  }

  /// Continues the file at `path` after the last complete sample of `known`; cuts off anything later.
  /// Throws if its tracks differ from `tracks`, or if it `isOfAnother` process that still writes it.
  init(continuing path: String, _ known: FragmentedFile, tracks: [Track], isOfAnother: Bool = false) throws {
    let head = try FileHead(tracks)
    let file = try FileDescriptor.openForUpdating(path, mustExist: true)
    guard try file.size() >= known.wholeLength else { throw ContinuationError.hasChanged }
    guard try file.bytes(known.headLength, at: 0) == head.bytes else { throw ContinuationError.otherTracks }
    if isOfAnother { try file.lockForWriting() } else { file.markWriting() }
    try file.cutTornEnd(of: known)
    let bytes = try RecordingBytes(file)
    let index = RecordingIndex.recover(bytes, known)
    let copies = HeadCopies(in: bytes, from: known.headLength)
    if let copies { try file.write(copies.erasing) }
    try file.write(index.all)
    let end = max(known.wholeLength, index.end ?? 0)
    if file.allocateAhead(of: end) { try file.synchronize() }
    if end > known.wholeLength { try file.truncate(to: end) }
    let ends = head.tracks.map { known.ends[$0.id] ?? 0 }
    self.init(
      path: path, file: file, head: head, index: index, copies: copies,
      sequenceNumber: known.lastSequenceNumber &+ 1, lastDecodeTimes: ends.map { $0 - 1 }, ends: ends,
      bytesWritten: end)
  }
}

/// Why a recording cannot be continued in its file.
enum ContinuationError: Error, Hashable, CustomStringConvertible {
  case otherTracks
  case hasChanged

  var description: String {
    switch self {
    case .otherTracks: "its tracks differ from the current ones"
    case .hasChanged: "it changed in the meantime"
    }
  }
}
