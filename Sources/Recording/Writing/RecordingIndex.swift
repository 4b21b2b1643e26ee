internal import HoldfastMediaModel
internal import HoldfastPlatform

/// A recording's index: where a player finds its way, told for each of its tracks, which all have the same stretches.
///
/// One would do by the standard, but FFmpeg takes the times of the only one that there is for those of all tracks.
struct RecordingIndex: Hashable, Sendable {
  /// Empty where the file has no room for them.
  let rooms: [SeekIndexRoom]
  private let tracks: [RecordedTrack]
  private var indexes: [SeekIndex]

  /// As much as half a day of keyframes each 2 s takes.
  static let usualLength = 1 << 19
  private static let page = 4096
  /// What is kept of a file that has no room for it.
  private static let mostStretches = 1 << 15

  /// Behind a head that ends at `offset`, for a recording that gets as long as is `expected`, where that is known.
  init(at offset: Int, tracks: [RecordedTrack], expected: MediaTime? = nil) {
    // At the worst each fragment begins with a keyframe.
    let stretches = expected.map { Int($0.seconds / FragmentWriter.shortestFragment.seconds) + 16 }
    let needed = stretches.map { SeekIndexRoom.length(for: $0) } ?? .max
    var rooms: [SeekIndexRoom] = []
    for track in tracks {
      // Each ends with a page, so that nobody finds the next one's head half written.
      let start = rooms.last?.end ?? offset
      let most = Self.usualLength / tracks.count - start % Self.page
      let end = (start + min(needed, most) + Self.page - 1) / Self.page * Self.page
      rooms.append(SeekIndexRoom(offset: start, length: end - start, track: track))
    }
    let capacity = rooms.map(\.capacity).min() ?? 0
    self.init(rooms: rooms, tracks: tracks, indexes: tracks.map { _ in SeekIndex(capacity: capacity) })
  }

  private init(rooms: [SeekIndexRoom], tracks: [RecordedTrack], indexes: [SeekIndex]) {
    self.rooms = rooms
    self.tracks = tracks
    self.indexes = indexes
  }

  /// Where the fragments begin.
  var end: Int? { rooms.last?.end }

  /// The rooms without an index.
  var emptyBoxes: [UInt8] { rooms.flatMap(\.emptyBox) }

  /// What is not written to stays a hole: it takes no room on the disk.
  func begin(_ file: borrowing FileDescriptor) throws(SystemError) {
    for room in rooms { try room.begin(file) }
    if let end, try file.size() < end { try file.truncate(to: end) }
  }

  /// A fragment lies there, in which each track has these times; it begins with a keyframe or doesn't. What is new is written
  /// down for whoever goes on after a crash.
  mutating func add(
    _ bytes: Range<Int>, times: [Range<Int64>], isKeyframe: Bool, in file: borrowing FileDescriptor
  ) throws(SystemError) {
    let changes = note(bytes, times: times, isKeyframe: isKeyframe)
    for (room, change) in zip(rooms.indices, changes) {
      try rooms[room].update(indexes[room], change, in: file)
    }
  }

  private mutating func note(_ bytes: Range<Int>, times: [Range<Int64>], isKeyframe: Bool) -> [SeekIndex
    .Change]
  {
    indexes.indices.map { number in
      indexes[number].add(
        from: .init(offset: bytes.lowerBound, time: times[number].lowerBound),
        to: .init(offset: bytes.upperBound, time: times[number].upperBound), isKeyframe: isKeyframe)
    }
  }

  /// Completes it, with one more for other players behind the last fragment, which ends at `end`. How long that is.
  mutating func finish(_ file: borrowing FileDescriptor, behind end: Int) throws(SystemError) -> Int {
    for number in indexes.indices { _ = indexes[number].finish() }
    guard let leader = tracks.first, let index = indexes.first, !index.stretches.isEmpty else { return 0 }
    try writeAll(file)
    var list = index.randomAccessBox(leader)
    do {
      try file.write(list, at: end)
    } catch {
      // Where there is no room for it, the one in front has to do.
      guard error.isForWantOfRoom, !rooms.isEmpty else { throw error }
      list = []
    }
    try file.truncate(to: end + list.count)
    // Nobody is to find an index of what is not on the disk.
    try file.synchronize()
    for (room, index) in zip(rooms, indexes) { try room.finish(index, in: file) }
    return list.count
  }

  /// Has the rooms hold what is known, as while a recording goes on.
  func writeAll(_ file: borrowing FileDescriptor) throws(SystemError) {
    for (room, index) in zip(rooms, indexes) { try room.update(index, .all, in: file) }
  }
}

extension RecordingIndex {
  /// That of the file that is `known`, of all its whole fragments. What stands in its rooms is taken where it fits the file,
  /// so that only the fragments behind it have to be looked at; else all are.
  static func recover(_ file: borrowing FileDescriptor, _ known: FragmentedFile) throws -> RecordingIndex {
    guard let found = try? read(file, known) else {
      let index = RecordingIndex(
        rooms: [], tracks: known.tracks,
        indexes: known.tracks.map { _ in SeekIndex(capacity: mostStretches) })
      return try index.following(known, of: file, from: known.headLength) ?? index.without
    }
    if let written = found.indexes.first?.end?.offset, written <= known.wholeLength,
      let whole = try found.following(known, of: file, from: written)
    {
      return whole
    }
    return try found.without.following(known, of: file, from: found.end ?? known.headLength) ?? found.without
  }

  /// The same rooms, and nothing in them.
  private var without: RecordingIndex {
    RecordingIndex(
      rooms: rooms, tracks: tracks, indexes: indexes.map { SeekIndex(capacity: $0.capacity) })
  }

  private static func read(_ file: borrowing FileDescriptor, _ known: FragmentedFile) throws
    -> RecordingIndex?
  {
    var rooms: [SeekIndexRoom] = []
    var indexes: [SeekIndex] = []
    for track in known.tracks {
      let (room, index) = try SeekIndexRoom.read(file, at: rooms.last?.end ?? known.headLength, track: track)
      rooms.append(room)
      indexes.append(index)
    }
    // A sudden end may have come between two of them.
    let count = indexes.map(\.stretches.count).min() ?? 0
    let capacity = rooms.map(\.capacity).min() ?? 0
    return RecordingIndex(
      rooms: rooms, tracks: known.tracks, indexes: indexes.map { $0.cut(to: count, capacity: capacity) })
  }

  /// With the fragments from `offset` on; nil where there is no unbroken row of them.
  private func following(
    _ known: FragmentedFile, of file: borrowing FileDescriptor, from offset: Int
  ) throws -> RecordingIndex? {
    var index = self
    var ends = indexes.map { $0.end?.time ?? 0 }
    let isWhole = try known.visitFragments(of: file, from: offset) { fragment in
      let parts = index.tracks.map { track in fragment.parts.first { $0.track == track.id } }
      let times = zip(parts, ends).map { part, end in
        max(end, part?.start ?? end)..<max(end, part?.end ?? end)
      }
      ends = times.map(\.upperBound)
      _ = index.note(
        fragment.offset..<fragment.end, times: times,
        isKeyframe: parts.first.flatMap(\.self)?.beginsWithKeyframe ?? false)
    }
    return isWhole ? index : nil
  }
}

extension Fragment.Part {
  /// A player can begin with its first sample.
  fileprivate var beginsWithKeyframe: Bool { keyframe.map { $0.run == 1 && $0.sample == 1 } ?? false }
}

extension SeekIndex {
  /// The `mfra` box, by which other players find their way: each stretch's time and fragment.
  fileprivate func randomAccessBox(_ leader: RecordedTrack) -> [UInt8] {
    var list: [UInt8] = []
    list.add(UInt32(0x0100_0000))
    list.add(leader.id)
    // The numbers of the track's part, of the run and of the sample, which are all the first, have one byte each.
    list.add(UInt32(0))
    list.add(UInt32(stretches.count))
    var place = start ?? Place(offset: 0, time: 0)
    for stretch in stretches {
      list.add(place.time)
      list.add(place.offset)
      list += [1, 1, 1]
      place.time += Int64(stretch.duration)
      place.offset += Int(stretch.bytes)
    }
    let entries = Box.make("tfra", list)
    let footerLength = 16
    let length = Box.headLength + entries.count + footerLength
    return Box.make("mfra", entries + Box.make("mfro", Box.bytes(UInt32(0)) + Box.bytes(UInt32(length))))
  }
}
