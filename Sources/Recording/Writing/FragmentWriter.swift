internal import HoldfastMediaModel
internal import HoldfastPlatform

/// Writes one fragmented MP4 file, so that all that has come can be played at any moment.
///
/// A packet goes to the file at once: its bytes first, behind all others, then the head of the fragment, which names it.
/// What changes of that head never lies across two pages, so that nobody finds it half written, whenever the process is
/// killed.
///
/// A packet that could not be written can be given again.
struct FragmentWriter: ~Copyable, Sendable {
  /// A fragment ends where a keyframe comes; one that begins with a keyframe, when it is as long as this.
  static let shortestFragment = MediaTime.milliseconds(500)
  /// As long as this, it ends with any picture. So it does when its head, which is in one page, has no room.
  static let longestFragment = MediaTime.seconds(4)
  /// So many bytes, and it ends at once: places in it are told with 31 bits.
  private static let mostBytes = 1 << 28
  private static let page = 4096

  private let file: FileDescriptor
  private let head: FileHead
  private var index: RecordingIndex
  private var fragment: OpenFragment?
  /// Where the fragment that is being written begins.
  private var fragmentOffset = 0
  /// How long the head of the next fragment is.
  private var headLength: Int
  private var sequenceNumber: UInt32
  /// When the last sample of each track was decoded, and when it ends, in their ticks.
  private var lastTimes: [Int64]
  private var ends: [Int64]
  /// How long the file is.
  private(set) var bytesWritten: Int

  /// `expected` is how long it gets, where that is known: its index has room accordingly.
  init(path: String, tracks: [Track], expected: MediaTime? = nil) throws {
    let head = try FileHead(tracks)
    let index = RecordingIndex(at: head.bytes.count, tracks: head.tracks, expected: expected)
    let file = try FileDescriptor.create(path, .new)
    do throws(SystemError) {
      try file.write(head.bytes, at: 0)
      try index.begin(file)
    } catch {
      // Nothing is in it, and the next attempt needs the name.
      removeFile(path)
      throw error
    }
    try? synchronizeDirectory(of: path)
    self.file = file
    self.head = head
    self.index = index
    headLength = Self.headLength(used: Self.page)
    sequenceNumber = 1
    lastTimes = tracks.map { _ in -1 }
    ends = tracks.map { _ in 0 }
    bytesWritten = index.end ?? head.bytes.count
  }

  /// Goes on behind the last whole fragment of the file at `path`, which is `known`. What lies behind that is cut off;
  /// what lies before stays as it is. `tracks` have to be those that the file has.
  init(continuing path: String, _ known: FragmentedFile, tracks: [Track]) throws {
    let head = try FileHead(tracks)
    let file = try FileDescriptor.openForUpdating(path, isThere: true)
    guard try file.size() >= known.wholeLength else { throw ContinuationError.hasChanged }
    guard try file.bytes(known.headLength, at: 0) == head.bytes else { throw ContinuationError.otherTracks }
    let index = try RecordingIndex.recover(file, known)
    try index.writeAll(file)
    let end = max(known.wholeLength, index.end ?? 0)
    try file.truncate(to: end)
    self.file = file
    self.head = head
    self.index = index
    headLength = Self.headLength(used: Self.page)
    sequenceNumber = known.lastSequenceNumber &+ 1
    lastTimes = head.tracks.map { (known.ends[$0.id] ?? 0) - 1 }
    ends = head.tracks.map { known.ends[$0.id] ?? 0 }
    bytesWritten = end
  }

  /// With some room to spare, and never more than a page holds.
  private static func headLength(used: Int) -> Int {
    min(used + used / 16 + 32, page - 2 * Box.headLength)
  }

  /// A fragment that is shorter than usual tells nothing of how much room the next one needs.
  private func nextHeadLength(after fragment: OpenFragment, isFull: Bool) -> Int {
    if isFull { return Self.headLength(used: 2 * headLength) }
    let leader = head.leader
    guard let start = fragment.start(of: 0), let end = fragment.end(of: 0),
      MediaTime(ticks: end - start.time, timescale: leader.timescale) >= Self.shortestFragment
    else { return headLength }
    return Self.headLength(used: fragment.usedHeadLength)
  }

  mutating func write(_ packet: MediaPacket) throws {
    guard let track = head.tracks.firstIndex(where: { $0.kind == packet.track }) else { return }
    let bytes = head.codecs[track].sampleBytes(packet.bytes)
    let sample = sample(packet, size: bytes.count, of: track)
    if var grown = fragment {
      // A picture lasts until the next one: an unsteady camera's pictures have no duration of their own.
      let isHole = sample.decodeTime - ends[track] > Int64(head.tracks[track].timescale)
      let isLonger = !isHole && grown.extend(track, to: sample.decodeTime)
      let isDue = isHole || isDueToEnd(grown, before: sample, of: track)
      if !isDue, grown.add(sample, to: track) {
        try put(grown, bytes, at: fragmentOffset)
      } else {
        try end(grown, isChanged: isLonger)
        headLength = nextHeadLength(after: grown, isFull: !isDue)
        try begin(sample, bytes, of: track)
      }
    } else {
      try begin(sample, bytes, of: track)
    }
    lastTimes[track] = sample.decodeTime
    ends[track] = sample.decodeTime + Int64(sample.duration)
  }

  private func sample(_ packet: MediaPacket, size: Int, of track: Int) -> FragmentSample {
    let timescale = head.tracks[track].timescale
    // No two samples of a track have one time, and none lies before what is there.
    let decoded = max(packet.decodeTime.ticks(timescale: timescale), lastTimes[track] + 1)
    let end = (packet.decodeTime + packet.duration).ticks(timescale: timescale)
    return FragmentSample(
      size: size, decodeTime: decoded,
      delay: Int32(clamping: packet.presentationTime.ticks(timescale: timescale) - decoded),
      duration: UInt32(clamping: max(1, end - decoded)), isKeyframe: packet.isKeyframe)
  }

  private func isDueToEnd(_ fragment: OpenFragment, before next: FragmentSample, of track: Int) -> Bool {
    if fragment.mediaLength + next.size > Self.mostBytes { return true }
    // Nothing but the leader begins a fragment, unless it doesn't come.
    let start = fragment.start(of: 0)?.time ?? fragment.start(of: track)?.time ?? next.decodeTime
    guard track == 0 || fragment.start(of: 0) == nil else { return false }
    let length = MediaTime(ticks: next.decodeTime - start, timescale: head.tracks[track].timescale)
    if length >= Self.longestFragment { return true }
    guard track == 0, next.isKeyframe else { return false }
    // Sound that came first stays with the picture that it came for.
    guard let first = fragment.start(of: 0) else { return false }
    return !first.isKeyframe || length >= Self.shortestFragment
  }

  /// Begins a fragment with its first sample.
  private mutating func begin(_ sample: FragmentSample, _ bytes: [UInt8], of track: Int) throws {
    var new = OpenFragment(
      sequenceNumber: sequenceNumber, headLength: headLength, lead: lead(at: bytesWritten),
      tracks: head.tracks)
    guard new.add(sample, to: track) else { throw ContinuationError.otherTracks }
    try put(new, bytes, at: bytesWritten)
    sequenceNumber &+= 1
  }

  /// How much room the head of a fragment at `offset` has at its front, so that what changes of it lies in one page. Between
  /// fragments there is none: FFmpeg, when it comes by a second time, knows fragments by where the one before ends.
  private func lead(at offset: Int) -> Int {
    let start = (offset + Box.headLength) % Self.page
    guard start + headLength - Box.headLength > Self.page else { return 0 }
    let lead = Self.page - start
    return lead < Box.headLength ? lead + Box.headLength : lead
  }

  /// Writes the last sample of `fragment`, and then what says that it is there.
  private mutating func put(_ fragment: OpenFragment, _ bytes: [UInt8], at offset: Int) throws {
    let end = offset + fragment.headLength + fragment.mediaLength
    do {
      try file.write(bytes, at: end - bytes.count)
      try file.write(fragment.head(), at: offset)
    } catch {
      // What nothing names is no use to anybody. Where even this fails, players stop there.
      try? file.truncate(to: bytesWritten)
      throw error
    }
    self.fragment = fragment
    fragmentOffset = offset
    bytesWritten = end
  }

  /// No sample comes to `fragment` any more.
  private mutating func end(_ fragment: OpenFragment, isChanged: Bool) throws {
    if isChanged { try file.write(fragment.head(), at: fragmentOffset) }
    self.fragment = nil
    // A track that has nothing in it ends where it did before.
    let times = ends.indices.map { track in
      let end = fragment.end(of: track) ?? ends[track]
      return min(fragment.start(of: track)?.time ?? end, end)..<end
    }
    try index.add(
      fragmentOffset..<bytesWritten, times: times, isKeyframe: fragment.start(of: 0)?.isKeyframe ?? false,
      in: file)
  }

  /// What comes later is a new fragment.
  mutating func endFragment() throws {
    if let fragment { try end(fragment, isChanged: false) }
  }

  /// Puts all that has come on the disk. What comes later is a new fragment.
  mutating func flush() throws {
    try endFragment()
    try file.synchronize()
  }

  /// Completes the index.
  mutating func finish() throws {
    try endFragment()
    bytesWritten += try index.finish(file, behind: bytesWritten)
    try file.synchronize()
  }

  /// Its own hold on the file, by which another thread can have it put on the disk.
  func secondHold() throws(SystemError) -> FileDescriptor { try file.duplicate() }

  /// False where another file stands at `path`, or none.
  func isAt(_ path: String) -> Bool { file.isAt(path) }
}

extension Codec {
  /// What a file holds of a packet's bytes.
  fileprivate func sampleBytes(_ bytes: [UInt8]) -> [UInt8] {
    switch self {
    // A file has no temporal delimiters.
    case .av1 where bytes.starts(with: [0x12, 0x00]): Array(bytes.dropFirst(2))
    case .h264, .hevc, .av1, .aac, .opus: bytes
    }
  }
}
