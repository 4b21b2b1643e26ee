package import HoldfastMediaModel

/// A recording's index: where a player finds its way, told for each of its tracks, which all have the same stretches.
///
/// One would do by the standard, but FFmpeg takes the times of the only one that there is for those of all tracks.
package struct RecordingIndex: Hashable, Sendable {
  /// Empty where the file has no room for them.
  package let rooms: [SeekIndexRoom]
  private let tracks: [RecordedTrack]
  private var indexes: [SeekIndex]

  /// As much as half a day of keyframes each 2 s takes.
  static let usualLength = 1 << 19
  private static let page = 4096
  /// What is kept of a file that has no room for it.
  private static let maxStretches = 1 << 15

  /// Behind a head that ends at `offset`, for a recording that gets as long as is `expected`, where that is known.
  package init(at offset: Int, tracks: [RecordedTrack], expected: MediaTime? = nil) {
    // At the worst each fragment begins with a keyframe.
    let stretches = expected.map { Int($0.seconds / OpenFragment.shortest.seconds) + 16 }
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
  package var end: Int? { rooms.last?.end }

  /// The rooms without an index.
  package var emptyBoxes: [UInt8] { rooms.flatMap(\.emptyBox) }

  /// The rooms' heads: what is not written to stays a hole, and takes no room on the disk.
  package var beginning: [Patch] { rooms.map(\.beginning) }

  /// A fragment lies there, in which each track has these times; it begins with a keyframe or doesn't. What is new is to be
  /// written down for whoever goes on after a crash.
  package mutating func add(_ bytes: Range<Int>, times: [Range<Int64>], isKeyframe: Bool) -> [Patch] {
    let changes = note(bytes, times: times, isKeyframe: isKeyframe)
    return rooms.indices.flatMap { rooms[$0].patches(for: changes[$0], of: indexes[$0]) }
  }

  private mutating func note(
    _ bytes: Range<Int>, times: [Range<Int64>], isKeyframe: Bool
  ) -> [SeekIndex.Change] {
    indexes.indices.map { number in
      indexes[number].add(
        from: .init(offset: bytes.lowerBound, time: times[number].lowerBound),
        to: .init(offset: bytes.upperBound, time: times[number].upperBound), isKeyframe: isKeyframe)
    }
  }

  /// Nothing more comes. The `mfra` box for behind the last fragment, by which other players find their way; nil where there
  /// is nothing to find.
  package mutating func finish() -> [UInt8]? {
    for number in indexes.indices { _ = indexes[number].finish() }
    guard let leader = tracks.first, let index = indexes.first, !index.stretches.isEmpty else { return nil }
    return index.randomAccessBox(leader)
  }

  /// Has the rooms hold what is known, as while a recording goes on.
  package var all: [Patch] { zip(rooms, indexes).flatMap { $0.patches(for: .all, of: $1) } }

  /// Makes the rooms the indexes that players read.
  package var closing: [Patch] { zip(rooms, indexes).flatMap { $0.closing($1) } }
}

extension RecordingIndex {
  /// That of the file that is `known`, of all its whole fragments. What stands in its rooms is taken where it fits the file,
  /// so that only the fragments behind it have to be looked at; else all are.
  package static func recover(_ source: RecordingBytes, _ known: FragmentedFile) -> RecordingIndex {
    guard let found = try? read(source, known) else {
      let index = RecordingIndex(
        rooms: [], tracks: known.tracks,
        indexes: known.tracks.map { _ in SeekIndex(capacity: maxStretches) })
      return index.following(known, of: source, from: known.headLength) ?? index.without
    }
    if let written = found.indexes.first?.end?.offset, written <= known.wholeLength,
      let whole = found.following(known, of: source, from: written)
    {
      return whole
    }
    return found.without.following(known, of: source, from: found.end ?? known.headLength) ?? found.without
  }

  /// The same rooms, and nothing in them.
  private var without: RecordingIndex {
    RecordingIndex(
      rooms: rooms, tracks: tracks, indexes: indexes.map { SeekIndex(capacity: $0.capacity) })
  }

  private static func read(
    _ source: RecordingBytes, _ known: FragmentedFile
  ) throws(FragmentedFileError) -> RecordingIndex {
    var rooms: [SeekIndexRoom] = []
    var indexes: [SeekIndex] = []
    for track in known.tracks {
      let (room, index) = try SeekIndexRoom.read(
        source, at: rooms.last?.end ?? known.headLength, track: track)
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
    _ known: FragmentedFile, of source: RecordingBytes, from offset: Int
  ) -> RecordingIndex? {
    var index = self
    var ends = indexes.map { $0.end?.time ?? 0 }
    let isWhole = known.visitFragments(of: source, from: offset) { fragment in
      let parts = index.tracks.map { track in fragment.parts.first { $0.track == track.id } }
      let times = zip(parts, ends).map { part, end in
        max(end, part?.start ?? end)..<max(end, part?.end ?? end)
      }
      ends = times.map(\.upperBound)
      _ = index.note(
        fragment.range, times: times,
        isKeyframe: parts.first.flatMap(\.self)?.samples.first?.isKeyframe ?? false)
    }
    return isWhole ? index : nil
  }
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
